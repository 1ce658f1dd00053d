package io.holdfast.core.section.watch;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/// Tells of sections that store in two regions: such a section is atomic in each of them by itself,
/// so a crash at its end may keep the one's part and undo the other's. That is seldom meant. Each
/// pair of regions is reported once for each place where such sections end, in the log of
/// `io.holdfast` and by JFR ({@link TwoStoresEvent}).
///
/// It is looked at when a section ends whose thread has used several regions, so all others pay
/// nothing. The place takes a walk of the stack, some microseconds: after the first 64 of these
/// sections every 64th is looked at, so that a place is found that does it often.
///
/// A section's end is a hook, which never throws, and runs under the program's lock. What logs may
/// be the program's own code, woven too: it runs in a thread of its own.
///
/// Thread-safe.
public final class TwoStoresWatch {
  /// How many are looked at before it is every so many. A power of two.
  private static final int LOOKS = 64;

  /// More places than this are not reported: some 200 KB are kept for them.
  private static final int TOLD_MAX = 1_000;

  private static final Set<Told> TOLD = ConcurrentHashMap.newKeySet();

  /// How many there were. Counted in races: one that is lost does no harm.
  private static int seen;

  private record Told(String region, String other, StackTraceElement place) {}

  /// @param sections of a thread that is about to end them
  public static void look(WatchedSection[] sections) {
    WatchedSection first = null;
    for (WatchedSection section : sections) {
      if (section.hasStored()) {
        if (first == null) {
          first = section;
        } else if (isDue()) {
          tell(first, section);
        }
      }
    }
  }

  private static boolean isDue() {
    int number = seen++;
    return number < LOOKS && number >= 0 || number % LOOKS == 0;
  }

  private static void tell(WatchedSection one, WatchedSection other) {
    try {
      List<StackTraceElement> stack = Findings.stack();
      String name = one.regionName();
      String otherName = other.regionName();
      boolean inOrder = name.compareTo(otherName) <= 0;
      tell(
          new Told(
              inOrder ? name : otherName,
              inOrder ? otherName : name,
              stack.isEmpty() ? null : stack.getFirst()),
          stack);
    } catch (RuntimeException | Error e) {
      // A hook can't throw, and the section is none the worse. No stack is left, as a rule; a place
      // with more of it is reported.
    }
  }

  private static void tell(Told told, List<StackTraceElement> stack) {
    if (TOLD.size() >= TOLD_MAX || !TOLD.add(told)) {
      return;
    }
    TwoStoresEvent event = new TwoStoresEvent();
    if (event.shouldCommit()) {
      event.region = told.region();
      event.otherRegion = told.other();
      event.commit();
    }
    String message =
        "a section has stored in two stores: %s and %s. It is atomic in each by itself: a crash at its end may keep the one's part and undo the other's. Keep in one store what belongs together, or give up one lock before the other store's. The section ends here:%s"
            .formatted(
                told.region(),
                told.other(),
                stack.stream()
                    .map(frame -> System.lineSeparator() + "\tat " + frame)
                    .collect(Collectors.joining()));
    Thread.ofVirtual()
        .name("holdfast-warning")
        .start(() -> System.getLogger("io.holdfast").log(Level.WARNING, message));
  }

  private TwoStoresWatch() {}
}
