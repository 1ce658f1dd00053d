package io.holdfast.testkit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// All orders in which several threads can take their steps: a thread whose next step takes a lock
/// that another thread holds can't take it. They are counted, and found by number, without being
/// enumerated.
///
/// How far each thread has come says which locks it holds, so it says all about what can follow;
/// and so there are as few states as there are such places, however many orders lead through them.
///
/// Orders are numbered from 0, in the order of their threads' numbers: neighbours have long
/// beginnings in common.
final class Schedules {
  /// What a step does to locks.
  record Locking(List<Object> acquires, List<Object> releases) {}

  private final List<List<Locking>> threads;
  private final Map<List<Integer>, Ways> waysFrom = new HashMap<>();

  /// How many orders go on from a place.
  ///
  /// @param whole those that take every step
  /// @param stuck those that end in a deadlock
  private record Ways(long whole, long stuck) {
    Ways plus(Ways other) {
      return new Ways(
          Math.addExact(whole, other.whole), // more than 2^63 is too much to take any part of
          Math.addExact(stuck, other.stuck));
    }
  }

  /// @throws IllegalArgumentException if a thread releases what it does not hold, or ends with a
  ///   lock
  /// @throws ArithmeticException if there are 2^63 orders or more
  Schedules(List<List<Locking>> threads) {
    this.threads = threads;
    for (List<Locking> thread : threads) {
      List<Object> left = held(thread, thread.size());
      if (!left.isEmpty()) {
        throw new IllegalArgumentException("a thread ends with locks: held=" + left);
      }
    }
    ways(beginning());
  }

  /// How many there are.
  long count() {
    return ways(beginning()).whole;
  }

  /// How many end in a deadlock; these are not numbered.
  long deadlocks() {
    return ways(beginning()).stuck;
  }

  /// An order by its number: whose turn it is, step by step.
  int[] order(long number) {
    if (number < 0 || number >= count()) {
      throw new IllegalArgumentException(
          "no such order: number=%d, count=%d".formatted(number, count()));
    }
    List<Integer> place = beginning();
    int[] order = new int[threads.stream().mapToInt(List::size).sum()];
    long left = number;
    for (int i = 0; i < order.length; i++) {
      for (int thread : canGoOn(place)) {
        List<Integer> next = after(place, thread);
        long whole = ways(next).whole;
        if (left < whole) {
          order[i] = thread;
          place = next;
          break;
        }
        left -= whole;
      }
    }
    return order;
  }

  private List<Integer> beginning() {
    return threads.stream().map(thread -> 0).toList();
  }

  private Ways ways(List<Integer> place) {
    Ways known = waysFrom.get(place);
    if (known != null) {
      return known;
    }
    Ways ways = new Ways(0, 0);
    List<Integer> goers = canGoOn(place);
    if (goers.isEmpty()) {
      ways = isEnd(place) ? new Ways(1, 0) : new Ways(0, 1);
    }
    for (int thread : goers) {
      ways = ways.plus(ways(after(place, thread)));
    }
    waysFrom.put(place, ways);
    return ways;
  }

  private boolean isEnd(List<Integer> place) {
    for (int thread = 0; thread < threads.size(); thread++) {
      if (place.get(thread) < threads.get(thread).size()) {
        return false;
      }
    }
    return true;
  }

  private static List<Integer> after(List<Integer> place, int thread) {
    List<Integer> next = new ArrayList<>(place);
    next.set(thread, next.get(thread) + 1);
    return next;
  }

  private List<Integer> canGoOn(List<Integer> place) {
    List<Integer> goers = new ArrayList<>();
    for (int thread = 0; thread < threads.size(); thread++) {
      if (place.get(thread) < threads.get(thread).size()) {
        List<Object> wanted = threads.get(thread).get(place.get(thread)).acquires();
        if (Collections.disjoint(wanted, heldByOthers(place, thread))) {
          goers.add(thread);
        }
      }
    }
    return goers;
  }

  private Set<Object> heldByOthers(List<Integer> place, int thread) {
    Set<Object> held = new HashSet<>();
    for (int other = 0; other < threads.size(); other++) {
      if (other != thread) {
        held.addAll(held(threads.get(other), place.get(other)));
      }
    }
    return held;
  }

  /// What a thread holds after some steps; a lock that it took twice is there twice.
  private static List<Object> held(List<Locking> thread, int steps) {
    List<Object> held = new ArrayList<>();
    for (Locking step : thread.subList(0, steps)) {
      held.addAll(step.acquires());
      for (Object released : step.releases()) {
        if (!held.remove(released)) {
          throw new IllegalArgumentException(
              "a thread releases a lock that it does not hold: lock=%s, held=%s"
                  .formatted(released, held));
        }
      }
    }
    return held;
  }
}
