package io.holdfast.core.section;

import io.holdfast.core.PersistenceCounts;
import io.holdfast.core.log.SectionLog;
import io.holdfast.core.memory.Memory;
import jdk.jfr.FlightRecorder;

/// Records a thread's sections for JFR, while somebody records. No failure here concerns the
/// section. Confined to the section's thread.
final class SectionTrace {
  private final Memory memory;

  /// `null` as long as nobody records sections.
  private SectionEvent event;

  SectionTrace(Memory memory) {
    this.memory = memory;
  }

  boolean isRecording() {
    return event != null;
  }

  void begin(SectionLog log) {
    try {
      if (FlightRecorder.isInitialized()) { // else a new process would wait for the event's class
        SectionEvent began = new SectionEvent();
        if (began.isEnabled()) {
          began.countsBefore = memory.threadCounts();
          began.logBefore = log.position();
          began.begin();
          event = began;
        }
      }
    } catch (RuntimeException | Error e) {
      event = null; // the section needs none
    }
  }

  void stored() {
    if (event != null) {
      event.stores++;
    }
  }

  /// The section is about to end, and has its log.
  void ending(SectionLog log) {
    if (event != null) {
      event.logBytes = log.position() - event.logBefore;
    }
  }

  /// @param dependencies how many sections it depended on
  /// @param waits whether it is not durable yet
  void end(Object lock, int dependencies, boolean waits) {
    if (event == null) {
      return;
    }
    try {
      event.end();
      if (event.shouldCommit()) {
        PersistenceCounts counts = memory.threadCounts().since(event.countsBefore);
        event.region = memory.name();
        event.lockClass = lock == null ? null : lock.getClass();
        event.flushes = counts.flushes();
        event.fences = counts.fences();
        event.dependencies = dependencies;
        event.waits = waits;
        event.commit();
      }
    } catch (RuntimeException | Error e) {
      // The section has ended, and there is no event.
    }
  }

  void forget() {
    event = null;
  }
}
