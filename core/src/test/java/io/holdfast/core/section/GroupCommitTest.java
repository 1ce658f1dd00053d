package io.holdfast.core.section;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.fixture.CachedMemory;
import io.holdfast.core.fixture.QuietRecoveries;
import io.holdfast.core.fixture.Words;
import io.holdfast.core.memory.FlushMode;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.Baton;
import io.holdfast.testkit.RecordingMemory;
import io.holdfast.testkit.TestForm;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Random locking by several threads, against a model that searches the greatest closed set of
/// ended sections anew after every turn. What is durable is what a recovery of the bytes at that
/// moment keeps: all of them, as a crash of the process leaves them, or those on media, whatever
/// the mode in which data are flushed.
@ExtendWith(QuietRecoveries.class)
class GroupCommitTest {
  private static final int THREADS = 4,
      LOCKS = 4,
      TURNS = 60,
      RUNS = TestForm.count(40, 150),
      RUNS_OF_A_MODE = TestForm.count(10, 40);
  private static final List<Object> LOCK_OBJECTS = SectionSteps.locks(LOCKS);

  /// A section in the model; word `id` is its own, and stored if it stores anything.
  private static final class Node {
    final int id;
    final Set<Node> dependencies = new HashSet<>();
    boolean ended;
    boolean stored;

    Node(int id) {
      this.id = id;
    }
  }

  private record Write(Node by, long value) {}

  private static final class Run {
    final Random random;
    final Supplier<RecordingMemory> image;
    final Region region;
    final List<Node> nodes = new ArrayList<>();
    final List<Set<Node>> released = new ArrayList<>();
    final List<Deque<Integer>> held = new ArrayList<>();
    final Node[] current = new Node[THREADS];
    final Node[] last = new Node[THREADS];
    final List<List<Write>> writes = new ArrayList<>();
    final String reproduce;

    Run(long seed, Memory memory, Supplier<RecordingMemory> image) {
      random = new Random(seed);
      region = Words.open(memory);
      this.image = image;
      reproduce = "-Dholdfast.seed=" + seed;
      Words.create(region, 256);
      for (int i = 0; i < LOCKS; i++) {
        released.add(new HashSet<>());
        writes.add(new ArrayList<>());
      }
      for (int i = 0; i < THREADS; i++) {
        held.add(new ArrayDeque<>());
      }
    }

    void run() {
      try (Baton baton = new Baton()) {
        for (int turn = 0;
            turn < TURNS || held.stream().anyMatch(locks -> !locks.isEmpty());
            turn++) {
          int thread = random.nextInt(THREADS);
          int lock = random.nextInt(LOCKS);
          boolean locked = held.stream().anyMatch(locks -> locks.contains(lock));
          if (turn < TURNS && !locked && held.get(thread).size() < 3 && random.nextBoolean()) {
            baton.run("T" + thread, () -> acquire(thread, lock));
          } else if (!held.get(thread).isEmpty()) {
            baton.run("T" + thread, () -> release(thread));
          }
          compare();
        }
        assertThat(durable()).as(reproduce).containsAll(nodes);
        for (int thread = 0; thread < THREADS; thread++) {
          baton.run("T" + thread, region.sections()::sync);
        }
      }
      region.close();
    }

    private void acquire(int thread, int lock) {
      SectionHooks.acquired(LOCK_OBJECTS.get(lock));
      if (current[thread] == null) {
        current[thread] = new Node(nodes.size());
        nodes.add(current[thread]);
        if (last[thread] != null) {
          current[thread].dependencies.add(last[thread]);
        }
      }
      held.get(thread).push(lock);
      current[thread].dependencies.addAll(released.get(lock));
      if (random.nextInt(3) > 0) {
        Node section = current[thread];
        section.stored = true;
        Words.write(region, 16 + section.id, 1);
        long value = writes.get(lock).size() + 1L;
        Words.write(region, lock, value);
        writes.get(lock).add(new Write(section, value));
      }
    }

    private void release(int thread) {
      // Any of its locks, not only the one taken last.
      List<Integer> locks = new ArrayList<>(held.get(thread));
      Integer lock = locks.get(random.nextInt(locks.size()));
      SectionHooks.releasing(LOCK_OBJECTS.get(lock));
      held.get(thread).remove(lock);
      released.get(lock).add(current[thread]);
      if (held.get(thread).isEmpty()) {
        current[thread].ended = true;
        last[thread] = current[thread];
        current[thread] = null;
      }
    }

    /// The greatest closed set: take away what is not ended or depends on what was taken away.
    private Set<Node> durable() {
      Set<Node> set = new HashSet<>(nodes);
      set.removeIf(node -> !node.ended);
      while (set.removeIf(node -> !set.containsAll(node.dependencies))) {
        // again
      }
      return set;
    }

    private void compare() {
      Set<Node> durable = durable();
      try (Region recovered = Words.open(image.get())) {
        for (Node node : nodes) {
          assertThat(Words.read(recovered, 16 + node.id))
              .as("section %d, %s", node.id, reproduce)
              .isEqualTo(node.stored && durable.contains(node) ? 1 : 0);
        }
        for (int lock = 0; lock < LOCKS; lock++) {
          long expected =
              writes.get(lock).stream()
                  .filter(write -> durable.contains(write.by))
                  .mapToLong(Write::value)
                  .max()
                  .orElse(0);
          assertThat(Words.read(recovered, lock))
              .as("word of lock %d, %s", lock, reproduce)
              .isEqualTo(expected);
        }
        // Nothing is left for recovery to find durable: the process had found it out itself.
        assertThat(recovered.report().sectionsKept()).as(reproduce).isZero();
      }
    }
  }

  private interface Runs {
    Run of(long seed);
  }

  private static void run(int runs, Runs each) {
    Long only = Long.getLong("holdfast.seed");
    for (long seed = only == null ? 1 : only; seed <= (only == null ? runs : only); seed++) {
      each.of(seed).run();
    }
  }

  @Test
  void agreesWithTheGreatestClosedSet() {
    run(
        RUNS,
        seed -> {
          RecordingMemory memory = new RecordingMemory();
          return new Run(seed, memory, memory::copy);
        });
  }

  @ParameterizedTest
  @EnumSource(FlushMode.class)
  void agreesWithTheGreatestClosedSetOnMedia(FlushMode mode) {
    run(
        RUNS_OF_A_MODE,
        seed -> {
          CachedMemory memory = new CachedMemory(seed);
          return new Run(seed, mode.over(memory), memory::afterPowerFailure);
        });
  }
}
