package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.core.Durability;
import io.holdfast.core.fixture.RegionOpener;
import io.holdfast.core.fixture.Words;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.CrashExplorer.Check;
import io.holdfast.testkit.Interleaving.Turn;
import io.holdfast.testkit.Interleavings.Explored;
import io.holdfast.testkit.Interleavings.Step;
import io.holdfast.testkit.Schedules.Locking;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Every order is there once, none that a lock forbids, and a failure says in which it was.
class InterleavingsTest {
  private static final Object LOCK = "lock", OTHER = "other";
  private static final Locking FREE = new Locking(List.of(), List.of());

  private static Locking take(Object lock) {
    return new Locking(List.of(lock), List.of());
  }

  private static Locking give(Object lock) {
    return new Locking(List.of(), List.of(lock));
  }

  @Test
  void ordersOfThreadsThatShareNothing() {
    Schedules schedules =
        new Schedules(List.of(Collections.nCopies(3, FREE), Collections.nCopies(2, FREE)));

    assertThat(schedules.count()).isEqualTo(10); // 5 over 2
    assertThat(schedules.deadlocks()).isZero();
    assertThat(schedules.order(0)).containsExactly(0, 0, 0, 1, 1);
    assertThat(schedules.order(9)).containsExactly(1, 1, 0, 0, 0);
  }

  @Test
  void aLockIsHeldByOneThread() {
    List<Locking> section = List.of(take(LOCK), FREE, give(LOCK));
    Schedules schedules = new Schedules(List.of(section, section, section));

    assertThat(schedules.count()).isEqualTo(6);
    assertThat(schedules.deadlocks()).isZero();
  }

  @Test
  void aLockThatWasTakenTwiceIsFreeWhenItWasReleasedTwice() {
    List<Locking> twice = List.of(take(LOCK), take(LOCK), give(LOCK), give(LOCK));
    List<Locking> once = List.of(take(LOCK), give(LOCK));

    assertThat(new Schedules(List.of(twice, once)).count()).isEqualTo(2);
  }

  @Test
  void deadlocksAreCounted() {
    List<Locking> one = List.of(take(LOCK), take(OTHER), give(OTHER), give(LOCK));
    List<Locking> reverse = List.of(take(OTHER), take(LOCK), give(LOCK), give(OTHER));
    Schedules schedules = new Schedules(List.of(one, reverse));

    // A deadlock when each has taken its first lock, in either order. Else one has come as far as
    // its last step, at least, when the other begins, which may or may not wait for that step.
    assertThat(schedules.deadlocks()).isEqualTo(2);
    assertThat(schedules.count()).isEqualTo(4);
  }

  @Test
  void stepsInOneTurn() {
    List<String> did = new ArrayList<>();
    Step<List<String>> joined =
        Step.<List<String>>acquiring("lock", LOCK, list -> list.add("lock"))
            .then(Step.of("store", list -> list.add("store")))
            .then(Step.releasing("unlock", LOCK, list -> list.add("unlock")));

    assertThat(joined.name()).isEqualTo("lock; store; unlock");
    assertThat(joined.acquires()).containsExactly(LOCK);
    assertThat(joined.releases()).containsExactly(LOCK);
    assertThatCode(() -> joined.action().run(did)).doesNotThrowAnyException();
    assertThat(did).containsExactly("lock", "store", "unlock");
  }

  @Test
  void whatNoThreadCanDoIsRefused() {
    assertThatThrownBy(() -> new Schedules(List.of(List.of(give(LOCK)))))
        .hasMessage("a thread releases a lock that it does not hold: lock=lock, held=[]");
    assertThatThrownBy(() -> new Schedules(List.of(List.of(take(LOCK)))))
        .hasMessage("a thread ends with locks: held=[lock]");
  }

  /// Against orders that are enumerated step by step.
  @Test
  void randomPrograms() {
    for (int seed = 1; seed <= 200; seed++) {
      Random random = new Random(seed);
      List<List<Locking>> threads = new ArrayList<>();
      for (int i = 0; i < 1 + random.nextInt(3); i++) {
        threads.add(randomThread(random));
      }
      List<List<Integer>> expected = new ArrayList<>();
      int[] deadlocks = new int[1];
      enumerate(threads, new ArrayList<>(), expected, deadlocks);

      Schedules schedules = new Schedules(threads);
      assertThat(schedules.count()).as("seed=%d", seed).isEqualTo(expected.size());
      assertThat(schedules.deadlocks()).as("seed=%d", seed).isEqualTo(deadlocks[0]);
      for (int i = 0; i < expected.size(); i++) {
        assertThat(Arrays.stream(schedules.order(i)).boxed().toList())
            .as("seed=%d, order %d", seed, i)
            .isEqualTo(expected.get(i));
      }
    }
  }

  private static List<Locking> randomThread(Random random) {
    List<Locking> steps = new ArrayList<>();
    List<Object> held = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      switch (random.nextInt(3)) {
        case 0 -> {
          held.add(random.nextBoolean() ? LOCK : OTHER);
          steps.add(take(held.getLast()));
        }
        case 1 -> {
          if (!held.isEmpty()) {
            steps.add(give(held.remove(random.nextInt(held.size()))));
          }
        }
        default -> steps.add(FREE);
      }
    }
    held.forEach(lock -> steps.add(give(lock)));
    return steps;
  }

  private static void enumerate(
      List<List<Locking>> threads,
      List<Integer> begun,
      List<List<Integer>> orders,
      int[] deadlocks) {
    int[] at = new int[threads.size()];
    List<List<Object>> held = new ArrayList<>();
    threads.forEach(thread -> held.add(new ArrayList<>()));
    for (int thread : begun) {
      Locking step = threads.get(thread).get(at[thread]++);
      held.get(thread).addAll(step.acquires());
      step.releases().forEach(held.get(thread)::remove);
    }
    boolean moved = false;
    boolean ended = true;
    for (int thread = 0; thread < at.length; thread++) {
      if (at[thread] < threads.get(thread).size()) {
        ended = false;
        int mover = thread;
        List<Object> wanted = threads.get(thread).get(at[thread]).acquires();
        boolean free = true;
        for (int other = 0; other < at.length; other++) {
          free &= other == mover || Collections.disjoint(wanted, held.get(other));
        }
        if (free) {
          moved = true;
          List<Integer> longer = new ArrayList<>(begun);
          longer.add(thread);
          enumerate(threads, longer, orders, deadlocks);
        }
      }
    }
    if (ended) {
      orders.add(begun);
    } else if (!moved) {
      deadlocks[0]++;
    }
  }

  private static Step<Region> lock() {
    return Step.acquiring("lock", LOCK, region -> SectionHooks.acquired(LOCK));
  }

  private static Step<Region> unlock() {
    return Step.releasing("unlock", LOCK, region -> SectionHooks.releasing(LOCK));
  }

  private static Step<Region> store(int word) {
    return Step.of("store " + word, region -> Words.write(region, word, 1));
  }

  private static Interleavings<Region> twoSections(CrashExplorer<Region> explorer) {
    return explorer
        .interleavings()
        .thread("A", List.of(lock(), store(0), store(1), unlock()))
        .thread(
            "B",
            List.of(
                Step.of("enter", region -> SectionHooks.enter()),
                store(2),
                Step.of("exit", region -> SectionHooks.exit())));
  }

  private static CrashExplorer<Region> explorer(Durability durability) {
    RegionOpener opener = new RegionOpener();
    return CrashExplorer.<Region>of("two sections", memory -> opener.open(memory, durability))
        .surviving(durability)
        .given(region -> Words.create(region, 3))
        .crashesOfRecovery(0);
  }

  @Test
  void aFailureShowsItsOrder() {
    Interleavings<Region> interleavings =
        twoSections(explorer(Durability.PROCESS_CRASH))
            .check(
                order ->
                    (region, point) -> {
                      if (Words.read(region, 0) == 1 && Words.read(region, 2) == 1) {
                        assertThat(bBeganFirst(order)).as("A came first").isTrue();
                      }
                    });
    assertThatThrownBy(interleavings::explore)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining(
            "two sections, PROCESS_CRASH: interleaving 0 fails; -Dholdfast.interleaving=0")
        .hasMessageContaining("turn  A")
        .hasMessageContaining("   0  lock")
        .hasMessageContaining("   4  " + " ".repeat(26) + "enter")
        .hasMessageContaining("in flight: turn 6, B: exit")
        .hasMessageContaining("A came first");
  }

  private static boolean bBeganFirst(Interleaving<Region> order) {
    return order.turns().getFirst().thread().equals("B");
  }

  @Test
  void moreOrdersThanAreWantedAreSampled() {
    Explored some = twoSections(explorer(Durability.PROCESS_CRASH)).most(34, 5).explore();
    Explored all = twoSections(explorer(Durability.PROCESS_CRASH)).most(35, 5).explore();

    assertThat(some.taken()).isEqualTo(5);
    assertThat(some.possible()).isEqualTo(35); // 7 over 3
    assertThat(all.taken()).isEqualTo(35);
    assertThat(all.images()).isGreaterThan(some.images());
  }

  /// What an order has in common with the one before it is left out, and nothing else.
  @ParameterizedTest
  @EnumSource(Durability.class)
  void noCrashIsLost(Durability durability) {
    Set<Object> each = new HashSet<>();
    Interleavings<Region> one = twoSections(explorer(durability)).check(collecting(each));
    for (long number = 0; number < one.schedules().count(); number++) {
      one.explore(one.order(number), 0, false);
    }
    Set<Object> together = new HashSet<>();
    twoSections(explorer(durability)).check(collecting(together)).explore();

    assertThat(together).isEqualTo(each).hasSizeGreaterThan(200);
  }

  /// What was done, what was in flight, and what was found.
  private static Function<Interleaving<Region>, Check<Region>> collecting(Set<Object> found) {
    return order -> {
      List<String> threads = order.turns().stream().map(Turn::thread).toList();
      return (region, point) ->
          found.add(
              List.of(
                  threads.subList(0, point.acknowledged()),
                  String.valueOf(point.inFlight()),
                  Words.read(region, 0, 3)));
    };
  }
}
