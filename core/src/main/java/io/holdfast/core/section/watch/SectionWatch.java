package io.holdfast.core.section.watch;

import io.holdfast.core.StoreClosedException;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.section.watch.BlackBox.Note;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import jdk.jfr.FlightRecorder;

/// Looks every now and then for sections that are open for too long, as they are when a server's
/// main loop holds a lock: nothing that such a section does is durable, and its log grows. Each is
/// reported once, with the stack of its thread, in the log of `io.holdfast` and by JFR.
///
/// Each that is open at two looks also has a note in the region ({@link BlackBox}), for who looks
/// at it when the process has died.
///
/// Sections take no notice: they are looked at in races, by the number that they have now.
public final class SectionWatch implements Runnable {
  /// Looks during the time after which a section is too old: what is told of is at most so much
  /// older.
  private static final int LOOKS = 4;

  /// The longest time between two looks: one second.
  private static final long NANOS_MAX = 1_000_000_000;

  /// Frames of a stack in the black box: what 504 bytes hold.
  private static final int FRAMES_MAX = 8;

  /// A section, and when it was first seen.
  ///
  /// @param note `null` at the first look
  private record Seen(long number, long nanos, boolean told, Note note) {}

  private final String region;

  /// What is told when a look has failed: made before, since there may be no memory then.
  private final String lookFailed;

  private final BlackBox blackBox;
  private final long limitNanos;
  private final boolean withStacks;
  private final Supplier<? extends List<? extends WatchedSection>> sections;
  private final Runnable checkLength;
  private Map<WatchedSection, Seen> seen = new HashMap<>();

  /// @param limit how long a section may be open
  /// @param withStacks whether notes have stacks
  /// @param sections those that have logs
  /// @param checkLength looks at the region's file
  public SectionWatch(
      Memory memory,
      Duration limit,
      boolean withStacks,
      Supplier<? extends List<? extends WatchedSection>> sections,
      Runnable checkLength) {
    this.checkLength = checkLength;
    this.region = memory.name();
    this.lookFailed =
        region
            + ": a look at the length of the file and at long sections failed. The store is none"
            + " the worse, and the next look is done; further failures in a row are not told of";
    this.blackBox = new BlackBox(memory);
    this.withStacks = withStacks;
    this.limitNanos = TimeUnit.NANOSECONDS.convert(limit);
    this.sections = sections;
  }

  /// Looks until its thread is interrupted.
  ///
  /// **LOOK-1** Whatever a look throws, the next one is done: a store whose watch has ended is told
  /// nothing of a truncated file or of a long section. Test: SectionWatchTest.
  @Override
  public void run() {
    boolean failed = false;
    boolean rehearsed = false;
    while (true) {
      try {
        Thread.sleep(Duration.ofNanos(Math.min(limitNanos / LOOKS, NANOS_MAX)));
        if (!rehearsed) {
          // What its first use initializes: an OutOfMemoryError there would spoil it for good.
          rehearsed =
              System.getLogger("io.holdfast").isLoggable(Level.WARNING)
                  | !message(Thread.currentThread(), 0).isEmpty();
        }
        lookOnce();
        failed = false;
      } catch (InterruptedException | StoreClosedException e) {
        return; // the region is closed
      } catch (Throwable e) { // an OutOfMemoryError above all, which other threads have caused
        if (!failed) {
          failed = tellOfFailure(e);
        }
      }
    }
  }

  private void lookOnce() {
    try {
      checkLength.run();
    } finally {
      look(System.nanoTime());
    }
  }

  /// @return whether it was told; else the next failure is
  private boolean tellOfFailure(Throwable failure) {
    try {
      System.getLogger("io.holdfast").log(Level.WARNING, lookFailed, failure);
      return true;
    } catch (Throwable e) { // no memory for that either
      return false;
    }
  }

  public void look(long now) {
    Map<WatchedSection, Seen> seenNow = new HashMap<>();
    for (WatchedSection section : sections.get()) {
      long number = section.openNumber();
      if (number != 0) {
        Seen before = seen.get(section);
        Seen same =
            before != null && before.number == number
                ? again(section, before, now)
                : new Seen(number, now, false, null);
        if (!same.told && now - same.nanos >= limitNanos) {
          tell(section.owner(), now - same.nanos);
          same = new Seen(number, same.nanos, true, same.note);
        }
        seenNow.put(section, same);
      }
    }
    seen = seenNow;
    note();
  }

  private Seen again(WatchedSection section, Seen before, long now) {
    Instant time = Instant.now();
    Note note = before.note;
    if (note == null) {
      note =
          new Note(
              section.openSlot(),
              before.number,
              time.minusNanos(now - before.nanos),
              time,
              section.owner().getName(),
              section.firstLock(),
              withStacks ? stack(section.owner()) : "");
    } else {
      note =
          new Note(
              note.slot(),
              note.number(),
              note.since(),
              time,
              note.thread(),
              note.lock(),
              note.stack());
    }
    return new Seen(before.number, before.nanos, before.told, note);
  }

  private static String stack(Thread thread) {
    return Arrays.stream(thread.getStackTrace())
        .filter(
            frame -> frame.getModuleName() == null || !frame.getModuleName().equals("java.base"))
        .limit(FRAMES_MAX)
        .map(StackTraceElement::toString)
        .collect(Collectors.joining("\n"));
  }

  private void note() {
    try {
      blackBox.write(seen.values().stream().map(Seen::note).filter(Objects::nonNull).toList());
    } catch (InternalError e) {
      // The page is gone with the file's end: CHECKLENGTH says so.
      System.getLogger("io.holdfast")
          .log(Level.DEBUG, () -> region + ": cannot note which sections are open", e);
    }
  }

  static String frames(Thread thread) {
    return Arrays.stream(thread.getStackTrace())
        .map(frame -> System.lineSeparator() + "\tat " + frame)
        .collect(Collectors.joining());
  }

  private String message(Thread thread, long millis) {
    return "%s: a section of %s is open for %d ms, and nothing it did is durable yet. If that is not meant, release the lock that it began with; the thread is here:%s"
        .formatted(region, thread, millis, frames(thread));
  }

  private void tell(Thread thread, long nanos) {
    long millis = Duration.ofNanos(nanos).toMillis();
    System.getLogger("io.holdfast").log(Level.WARNING, message(thread, millis));
    if (FlightRecorder.isInitialized()) {
      LongSectionEvent event = new LongSectionEvent();
      if (event.shouldCommit()) {
        event.region = region;
        event.sectionThread = thread;
        event.openMillis = millis;
        event.stack = frames(thread);
        event.commit();
      }
    }
  }
}
