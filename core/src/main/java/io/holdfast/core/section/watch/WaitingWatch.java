package io.holdfast.core.section.watch;

import io.holdfast.core.memory.Memory;
import io.holdfast.core.section.commit.GroupCommit;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import jdk.jfr.FlightRecorder;

/// Tells when sections that have ended wait for longer than a second, and names the open section
/// that most of them wait for. What waits is not durable, its logs take room in the file, and the
/// next recovery goes through them.
///
/// It is reported in the log of `io.holdfast` at the first look, then once a minute, and when ten
/// times as many wait; by JFR at each look ({@link WaitingSectionsEvent}).
///
/// Sections pay nothing: {@link SectionWatch} has it look, once a second or more often.
public final class WaitingWatch {
  private static final long AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final int AGAIN_TIMES = 10;
  private static final long MIB = 1 << 20;

  private final Memory memory;
  private final Supplier<Waiting> waiting;
  private boolean told;
  private long toldAt;
  private long toldSections;

  public WaitingWatch(Memory memory, Supplier<Waiting> waiting) {
    this.memory = memory;
    this.waiting = waiting;
  }

  public void look(long now) {
    Waiting found = waiting.get();
    if (found == null) {
      told = false;
      return;
    }
    if (found.longestNanos() < GroupCommit.LIMIT_NANOS) {
      return;
    }
    if (FlightRecorder.isInitialized()) {
      record(found);
    }
    if (!told || now - toldAt >= AGAIN_NANOS || found.sections() >= AGAIN_TIMES * toldSections) {
      System.getLogger("io.holdfast").log(Level.WARNING, message(found));
      told = true;
      toldAt = now;
      toldSections = found.sections();
    }
  }

  private String message(Waiting found) {
    return "%s: %d sections have ended and wait for others, the oldest for %d ms. A crash would undo them, sync() waits for them, and their logs make the file (%d MiB) and the next recovery longer. Most of them, %d, wait for %s"
        .formatted(
            memory.name(),
            found.sections(),
            found.longestMillis(),
            memory.length() / MIB,
            found.waiters(),
            blocker(found));
  }

  /// @param found in which a section is open that others wait for
  public static String blocker(Waiting found) {
    return "a section of %s%s that has not ended. If that is not meant, release the lock that it began with; the thread is here:%s"
        .formatted(
            found.blocker(),
            found.lock().isEmpty() ? "" : ", begun with a " + found.lock() + ",",
            SectionWatch.frames(found.blocker()));
  }

  /// Where a thread is, a line for each frame.
  public static String frames(Thread thread) {
    return SectionWatch.frames(thread);
  }

  private void record(Waiting found) {
    WaitingSectionsEvent event = new WaitingSectionsEvent();
    if (event.shouldCommit()) {
      event.region = memory.name();
      event.sections = found.sections();
      event.longestMillis = found.longestMillis();
      event.blocker = found.blocker();
      event.blockerLock = found.lock();
      event.waiters = found.waiters();
      event.stack = SectionWatch.frames(found.blocker());
      event.commit();
    }
  }
}
