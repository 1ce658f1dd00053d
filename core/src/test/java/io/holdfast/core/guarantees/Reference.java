package io.holdfast.core.guarantees;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Regions;
import io.holdfast.core.guarantees.Trace.Event;
import io.holdfast.testkit.CrashPoint;
import io.holdfast.testkit.Interleaving;
import io.holdfast.testkit.Interleaving.Turn;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// What the guarantees let restart code see after a crash, for one order of turns: by brute force,
/// from their words alone.
///
/// A section *needs* another if a release in the other happens before an acquire of its own (P2;
/// Atlas 3.3). What is durable
///
/// - is a set of sections that have ended, each with all it does (P1) and with all that they need
///   (P2, P3, P5); a section needs the earlier ones of its thread, so each thread stands between
///   two sections (P4);
/// - has in it every set of sections that have returned and need none but each other (P6).
///
/// What is seen is what these sections do when nothing else is done, in the order in which it was
/// done.
///
/// A set of sections is the bits of an int.
final class Reference {
  private final List<Turn<Scene>> turns;
  private final Trace trace;
  private final int[] needs;
  private final Map<CrashPoint, Map<List<Long>, String>> allowed = new HashMap<>();
  private final Map<CrashPoint, Map<List<Long>, String>> stopped = new HashMap<>();

  Reference(Interleaving<Scene> order, Regions regions) {
    turns = order.turns();
    trace = new Trace(turns, regions);
    needs = needs(trace.events(), trace.sections().size());
  }

  private static int[] needs(List<Event> events, int sections) {
    int[] needs = new int[sections];
    boolean[][] before = happensBefore(events);
    for (int i = 0; i < events.size(); i++) {
      for (int j = i + 1; j < events.size(); j++) {
        int released = events.get(i).section();
        int acquired = events.get(j).section();
        if (before[i][j]
            && !events.get(i).isAcquire()
            && events.get(j).isAcquire()
            && released != Trace.NONE
            && acquired != Trace.NONE
            && acquired != released) {
          needs[acquired] |= 1 << released;
        }
      }
    }
    return needs;
  }

  private static boolean[][] happensBefore(List<Event> events) {
    int count = events.size();
    boolean[][] before = new boolean[count][count];
    for (int j = 0; j < count; j++) {
      for (int i = j - 1; i >= 0; i--) {
        before[i][j] |= events.get(i).isDirectlyBefore(events.get(j));
        for (int k = i + 1; k < j; k++) {
          before[i][j] |= before[i][k] && before[k][j];
        }
      }
    }
    return before;
  }

  /// Fails unless what was found is what the guarantees allow.
  void check(List<Long> found, CrashPoint point) {
    Map<List<Long>, String> all = allowed.computeIfAbsent(point, this::allowed);
    assertThat(all.keySet())
        .as(() -> "durable sections, and what is seen of them, of which one is allowed: " + all)
        .contains(found);
  }

  /// Fails unless what was found in some of the words is what the guarantees allow.
  void check(List<Long> found, CrashPoint point, IntPredicate words) {
    Map<List<Long>, String> all = allowed.computeIfAbsent(point, this::allowed);
    assertThat(all.keySet().stream().map(state -> some(state, words)))
        .as(() -> "durable sections, and what is seen of them, of which one is allowed: " + all)
        .contains(some(found, words));
  }

  private static List<Long> some(List<Long> state, IntPredicate words) {
    return IntStream.range(0, state.size()).filter(words).mapToObj(state::get).toList();
  }

  /// Fails unless what was found is what the threads would have left, had each of them stopped
  /// somewhere between two sections (P4). Knows nothing of what a section needs.
  void checkStopped(List<Long> found, CrashPoint point) {
    Map<List<Long>, String> all = stopped.computeIfAbsent(point, this::stopped);
    assertThat(all.keySet())
        .as(() -> "states with all threads between sections: " + all)
        .contains(found);
  }

  private Map<List<Long>, String> allowed(CrashPoint point) {
    int returned = endedWithin(point.acknowledged());
    int acknowledged = durable(returned);
    int ended = returned | endingAt(point);
    return seen(subsets(ended).filter(this::isClosed).filter(set -> (acknowledged & ~set) == 0));
  }

  private Map<List<Long>, String> stopped(CrashPoint point) {
    int ended = endedWithin(point.acknowledged()) | endingAt(point);
    return seen(subsets(ended).filter(this::isBeginningOfThreads));
  }

  private Map<List<Long>, String> seen(IntStream sets) {
    return sets.boxed()
        .collect(Collectors.toMap(this::seen, this::names, (one, other) -> one + " or " + other));
  }

  /// What is seen when these sections were done, and nothing else.
  private List<Long> seen(int durable) {
    ModelScene scene = new ModelScene();
    for (int turn = 0; turn < turns.size(); turn++) {
      int section = trace.sectionOf(turn);
      if (section != Trace.NONE && (durable >> section & 1) != 0) {
        scene.run(turns.get(turn).step());
      }
    }
    return scene.visible();
  }

  /// The names of the sections that have to wait for others when they end.
  Set<String> waiting() {
    int waiting = 0;
    for (int section = 0; section < needs.length; section++) {
      int returned = endedWithin(trace.sections().get(section).end() + 1);
      waiting |= returned & ~durable(returned);
    }
    return members(waiting)
        .mapToObj(section -> trace.sections().get(section).name())
        .collect(Collectors.toSet());
  }

  /// The most sections that all need each other.
  int largestCycle() {
    int[] reached = needs.clone();
    for (int i = 0; i < reached.length; i++) {
      for (int section = 0; section < reached.length; section++) {
        for (int other : members(reached[section]).toArray()) {
          reached[section] |= reached[other];
        }
      }
    }
    int largest = 0;
    for (int section = 0; section < reached.length; section++) {
      int self = section;
      long mutual =
          members(reached[section]).filter(other -> (reached[other] >> self & 1) != 0).count();
      largest = Math.max(largest, (int) mutual);
    }
    return largest;
  }

  /// Sections that end in the first of the turns.
  private int endedWithin(int firstTurns) {
    int ended = 0;
    for (int section = 0; section < needs.length; section++) {
      ended |= trace.sections().get(section).end() < firstTurns ? 1 << section : 0;
    }
    return ended;
  }

  /// The section that the turn in flight ends.
  private int endingAt(CrashPoint point) {
    return point.inFlight() == null ? 0 : endedWithin(point.acknowledged() + 1);
  }

  /// What must be durable when these sections have returned.
  private int durable(int returned) {
    return subsets(returned).filter(this::isClosed).reduce(0, (some, others) -> some | others);
  }

  /// Whether a set has all that its sections need.
  private boolean isClosed(int set) {
    return members(set).allMatch(section -> (needs[section] & ~set) == 0);
  }

  /// Whether a set has, of the sections that have ended, the first ones of each thread.
  private boolean isBeginningOfThreads(int set) {
    return members(set)
        .allMatch(
            section ->
                IntStream.range(0, section)
                    .filter(earlier -> threadOf(earlier).equals(threadOf(section)))
                    .allMatch(earlier -> (set >> earlier & 1) != 0));
  }

  private String threadOf(int section) {
    return trace.sections().get(section).thread();
  }

  private String names(int set) {
    return members(set)
        .mapToObj(section -> trace.sections().get(section).name())
        .collect(Collectors.joining(" ", "{", "}"));
  }

  private static IntStream members(int set) {
    return IntStream.range(0, Integer.SIZE).filter(section -> (set >> section & 1) != 0);
  }

  /// All sets that have nothing in them but what a set has.
  private static IntStream subsets(int of) {
    return IntStream.rangeClosed(0, of).filter(set -> (set & ~of) == 0);
  }
}
