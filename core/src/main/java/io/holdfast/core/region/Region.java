package io.holdfast.core.region;

import io.holdfast.core.RecoveryReport;
import io.holdfast.core.RecoveryReport.Outcome;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.heap.Heap;
import io.holdfast.core.heap.RootDirectory;
import io.holdfast.core.log.LogPool;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.OpeningRecord;
import io.holdfast.core.memory.RegionHeader;
import io.holdfast.core.memory.RegionHeader.State;
import io.holdfast.core.memory.SpanTable;
import io.holdfast.core.memory.SystemRun;
import io.holdfast.core.recovery.Strategy;
import io.holdfast.core.section.Sections;
import io.holdfast.core.section.hooks.HookClasses;
import java.lang.System.Logger.Level;
import java.util.UUID;
import jdk.jfr.FlightRecorder;

/// An open region: its memory, sections, heap and roots.
///
/// Opening creates what is missing, completes a creation that was cut off, refuses what it can't
/// honour before it has written anything (P8), and recovers (P7).
///
/// Thread-safe.
public final class Region implements AutoCloseable {
  private final Memory memory;
  private final RegionHeader header;
  private final RecoveryReport report;
  private final SpanTable spans;
  private final Strategy strategy;
  private final Sections sections;
  private final Heap heap;
  private final RootDirectory roots;
  private boolean closed;

  private Region(
      Memory memory,
      RegionHeader header,
      RecoveryReport report,
      SpanTable spans,
      Strategy strategy) {
    this.memory = memory;
    this.header = header;
    this.report = report;
    this.spans = spans;
    this.strategy = strategy;
    HookClasses.initialize(); // HOOKS-1
    this.sections = new Sections(memory, strategy.logs());
    this.heap = new Heap(memory, spans, sections);
    this.roots = new RootDirectory(memory, heap, sections);
  }

  /// Opens the region in a memory.
  ///
  /// @param initialBytes the length of a new region
  /// @throws io.holdfast.core.RegionFormatException if it holds something else
  /// @throws RegionDamagedException if it holds a region that is damaged
  /// @throws io.holdfast.core.RegionFullException if a new region finds no room
  public static Region open(Memory memory, long initialBytes) {
    boolean isNew = RegionHeader.isUnfinishedCreation(memory, initialBytes);
    if (isNew) {
      if (memory.length() < initialBytes) {
        memory.grow(initialBytes);
      }
      RegionHeader.create(memory, UUID.randomUUID());
    }
    RegionHeader header = RegionHeader.read(memory);
    if (memory.length() > header.length()) {
      memory.shrink(header.length()); // LENGTH-1. Test: TrimCrashTest.length1WhatIsBehindIsNobodys.
    }
    SpanTable spans = new SpanTable(memory, header);
    Strategy strategy = Strategy.of(memory, spans);
    RecoveryReport report;
    if (isNew || header.isFresh()) {
      report = RecoveryReport.without(Outcome.CREATED);
    } else if (header.state() == State.CLOSED) {
      report = RecoveryReport.without(Outcome.CLEAN);
    } else {
      report = recover(memory, strategy);
    }
    if (report.sectionsUndone() > 0) { // else a new process would load all of logging for nothing
      tell(memory, report);
    }
    Region region = new Region(memory, header, report, spans, strategy);
    try {
      if (header.state() == State.CLOSED) {
        memory.claim();
        header.stateChanged(State.OPEN);
      }
    } catch (RuntimeException | Error e) {
      region.sections.close(); // or uncommitted releases would go on naming it
      throw e;
    }
    return region;
  }

  /// What the program's logger throws, for want of memory say, is no reason to refuse a region that
  /// is recovered; the report says the same.
  private static void tell(Memory memory, RecoveryReport report) {
    try {
      System.getLogger("io.holdfast").log(Level.INFO, memory.name() + " " + report);
    } catch (RuntimeException | Error e) {
      // Where should that be told?
    }
  }

  /// Takes a region that was not closed back to its last consistent cut, and marks it as closed,
  /// without opening it: threads that are in sections of other regions begin none here.
  ///
  /// @return what was found and done
  /// @throws RegionDamagedException if it is damaged
  public static RecoveryReport recoverAndClose(Memory memory) {
    RegionHeader header = RegionHeader.read(memory);
    if (memory.length() > header.length()) {
      memory.shrink(header.length()); // LENGTH-1
    }
    if (header.state() == State.CLOSED) {
      return RecoveryReport.without(Outcome.CLEAN);
    }
    Strategy strategy = Strategy.of(memory, new SpanTable(memory, header));
    RecoveryReport report = recover(memory, strategy);
    strategy.close(memory);
    SystemRun.leave(memory); // RUN-2. Test: SystemRunTest.run2ACopyThatIsClosedForgetsTheRun.
    header.closed(header.length());
    memory.giveBack();
    memory.disclaim();
    return report;
  }

  private static RecoveryReport recover(Memory memory, Strategy strategy) {
    if (!FlightRecorder.isInitialized()) {
      return strategy.recover(); // without the event's class, which a new process would wait for
    }
    RecoveryEvent event = new RecoveryEvent();
    event.begin();
    RecoveryReport report = strategy.recover();
    if (event.shouldCommit()) {
      event.region = memory.name();
      event.logsScanned = report.logsScanned();
      event.sectionsKept = report.sectionsKept();
      event.sectionsUndone = report.sectionsUndone();
      event.entriesUndone = report.entriesUndone();
      event.commit();
    }
    return report;
  }

  public Memory memory() {
    return memory;
  }

  public UUID identity() {
    return header.identity();
  }

  /// Has the region remember this opening, for people ({@link OpeningRecord}) and for an opening
  /// after the system went down ({@link SystemRun}): for a file's, not for each one that a test
  /// looks into. Before the first section.
  public void recordOpening() {
    OpeningRecord.write(memory, report);
    SystemRun.enter(memory);
  }

  /// What opening found and did.
  public RecoveryReport report() {
    return report;
  }

  public Sections sections() {
    return sections;
  }

  public Heap heap() {
    return heap;
  }

  public RootDirectory roots() {
    return roots;
  }

  /// What each span is used for; to be read.
  public SpanTable spans() {
    return spans;
  }

  /// How many sections that took a log have become durable since the region was made.
  public long durableSections() {
    return LogPool.durableSections(memory, spans);
  }

  /// Gives the device back the free space at the end of the file.
  ///
  /// @return by how many bytes the region is shorter
  /// @throws io.holdfast.core.RegionAccessException if the system refuses; nothing is lost
  public long trim() {
    sections.checkUsable();
    try {
      return spans.trim();
    } catch (VirtualMachineError | LinkageError e) {
      sections.breakOff(e); // the header's length may be another than the memory's
      throw e;
    }
  }

  /// Lets go of the region. A section that a thread is in the middle of is cut off, as by a crash:
  /// the region stays marked as open, and the next opening undoes it. Idempotent.
  ///
  /// The memory goes first, and with it every thread's access, then it is seen whether the region
  /// is quiet, and only then it is called closed, through a mapping of its own. Any other order
  /// would let a section begin after the mark.
  @Override
  public synchronized void close() {
    if (!closed) {
      abandon();
      if (sections.isQuiet()) {
        Memory again = memory.reopen();
        strategy.close(again);
        again.force(); // RUN-2
        RegionHeader last = RegionHeader.read(again);
        // A growth that was on its way may have come no further than this process.
        long end = Math.min(spans.lengthToKeep(), last.length());
        SystemRun.leave(again);
        last.closed(end); // LENGTH-1: the header first
        again.shrink(end);
        again.giveBack();
        again.disclaim();
        again.close();
      }
    }
  }

  /// Lets go of the region without a look at its file, which stays as it is: for who has let go of
  /// the file's lock already. Idempotent, and to be repeated if it was cut off.
  public synchronized void abandon() {
    if (!closed) {
      sections.close();
      memory.close();
      closed = true;
    }
  }
}
