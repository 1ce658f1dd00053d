package io.holdfast.core.section.watch;

import io.holdfast.core.section.watch.Findings.Kind;
import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Looks at changes of stores outside of all sections, if {@link Findings#isOn}: two in one run of
/// a method belong together as a rule, and one that is made under a monitor was meant to be in its
/// section.
///
/// That one method made both is read from the two stacks: from below they are equal up to a frame
/// of the same method in another line. Changes of one line, as in a loop, are not told. A method is
/// told once.
///
/// A look is a walk of the stack, some microseconds. A thread's first 64 changes are looked at, and
/// then two in a row of every 256; of all threads' together 16,384, and then as seldom.
///
/// Monitors alone are asked for: to find the other locks of a thread the JVM would walk its heap.
/// Virtual threads' are not told by the JVM.
///
/// Confined to its thread; places are kept for all.
public final class OutsideWatch {
  /// Looks at the beginning.
  private static final int LOOKS = 64;

  private static final int LOOKS_OF_ALL = 1 << 14;

  /// Two in a row of so many. A power of two.
  private static final int EVERY = 256;

  /// More places than this are not asked for their monitors.
  private static final int PLACES_MAX = 1_000;

  private static final Set<StackTraceElement> PLACES = ConcurrentHashMap.newKeySet();

  /// Counted in races: one that is lost does no harm.
  private static int ofAll;

  private int changes;
  private List<StackTraceElement> last = List.of();

  /// After a change of a store by the calling thread, outside of all sections. Never throws.
  public void changed() {
    int number = changes++;
    if (number >= LOOKS || ofAll >= LOOKS_OF_ALL) {
      if ((number & (EVERY - 1)) > 1) {
        return;
      }
    } else {
      ofAll++;
    }
    try {
      look();
    } catch (RuntimeException | Error e) {
      // As in Findings.tell.
    }
  }

  private void look() {
    List<StackTraceElement> stack = Findings.stack();
    if (stack.isEmpty()) {
      return; // a thread of Holdfast's own
    }
    StackTraceElement place = stack.getFirst();
    if (PLACES.size() < PLACES_MAX && PLACES.add(place)) {
      lookAtMonitors(stack);
    }
    lookAtTwo(last, stack);
    last = stack;
  }

  private static void lookAtTwo(List<StackTraceElement> before, List<StackTraceElement> now) {
    int one = before.size() - 1;
    int other = now.size() - 1;
    while (one >= 0 && other >= 0 && before.get(one).equals(now.get(other))) {
      one--;
      other--;
    }
    if (one >= 0 && other >= 0 && isOfOneMethod(before.get(one), now.get(other))) {
      boolean isAscending = before.get(one).getLineNumber() < now.get(other).getLineNumber();
      StackTraceElement first = isAscending ? before.get(one) : now.get(other);
      StackTraceElement second = isAscending ? now.get(other) : before.get(one);
      Findings.tell(
          Kind.CHANGES_OUTSIDE,
          "%s.%s changes a store in line %d and in line %d, outside of any section"
              .formatted(
                  first.getClassName(),
                  first.getMethodName(),
                  first.getLineNumber(),
                  second.getLineNumber()),
          method(first),
          null,
          now);
    }
  }

  /// A place that stands for a method, which is told once, whatever its lines.
  private static StackTraceElement method(StackTraceElement place) {
    return new StackTraceElement(place.getClassName(), place.getMethodName(), null, -1);
  }

  private static boolean isOfOneMethod(StackTraceElement one, StackTraceElement other) {
    return one.getClassName().equals(other.getClassName())
        && one.getMethodName().equals(other.getMethodName())
        && one.getLineNumber() != other.getLineNumber()
        && !Findings.isOwn(one.getClassName());
  }

  private static void lookAtMonitors(List<StackTraceElement> stack) {
    long[] self = {Thread.currentThread().threadId()};
    ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(self, true, false)[0];
    if (info == null) {
      return; // a virtual thread
    }
    for (MonitorInfo monitor : info.getLockedMonitors()) {
      StackTraceElement taker = monitor.getLockedStackFrame();
      if (taker != null && !Findings.isOwn(taker.getClassName())) {
        Findings.tell(
            Kind.UNWOVEN_LOCK,
            "%s, taken in %s.%s"
                .formatted(monitor.getClassName(), taker.getClassName(), taker.getMethodName()),
            stack.getFirst(),
            taker,
            stack);
      }
    }
  }
}
