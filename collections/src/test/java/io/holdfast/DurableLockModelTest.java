package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.core.fixture.QuietRecoveries;
import io.holdfast.core.fixture.Words;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.Stripes;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.Baton;
import io.holdfast.testkit.RecordingMemory;
import io.holdfast.testkit.TestForm;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Random locking by several threads with every kind of lock, wait and edge, against a model that
/// knows Atlas's rules alone: who is in which section, what happened before what, and that the
/// greatest closed set of ended sections is durable. What is durable is what a recovery of the
/// bytes at that moment keeps.
///
/// Shows HOLDS-2.
@ExtendWith(QuietRecoveries.class)
class DurableLockModelTest {
  private static final int THREADS = 4,
      TURNS = 80,
      RUNS = TestForm.count(40, 150),
      HOLDS_MAX = 4,
      OWN_WORDS = 500;

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

  /// A lock and what the model knows of it. A read lock and its write lock have each other as twin.
  private static final class Modelled {
    final Lock lock;
    final boolean shared;
    final int[] holds = new int[THREADS];
    final Set<Node> released = new HashSet<>();
    final List<Write> writes = new ArrayList<>();
    Modelled twin;

    Modelled(Lock lock, boolean shared) {
      this.lock = lock;
      this.shared = shared;
    }

    boolean isHeldByOthers(int thread) {
      for (int other = 0; other < THREADS; other++) {
        if (other != thread && holds[other] > 0) {
          return true;
        }
      }
      return false;
    }

    boolean canBeTaken(int thread) {
      if (shared) {
        return !twin.isHeldByOthers(thread);
      }
      boolean isReader = twin != null && twin.holds[thread] > 0 && holds[thread] == 0;
      return !isHeldByOthers(thread)
          && !isReader
          && (twin == null || holds[thread] > 0 || !twin.isHeldByOthers(thread));
    }

    /// What who takes it comes after.
    Set<Node> before() {
      Set<Node> before = new HashSet<>(shared ? twin.released : released);
      if (!shared && twin != null) {
        before.addAll(twin.released);
      }
      return before;
    }
  }

  private static final class Run {
    final Random random;
    final String reproduce;
    final RecordingMemory memory = new RecordingMemory();
    final Region region = Words.open(memory);
    final List<Modelled> locks = new ArrayList<>();
    final Object field;
    final Set<Node> fieldReleased = new HashSet<>();
    final List<Node> nodes = new ArrayList<>();
    final Node[] current = new Node[THREADS];
    final List<Set<Node>> before = new ArrayList<>();
    final int[] depth = new int[THREADS];

    Run(long seed, LockedWords.Locks distinct, Object field) {
      random = new Random(seed);
      reproduce = "-Dholdfast.seed=" + seed;
      this.field = field;
      locks.add(new Modelled(distinct.a(), false));
      locks.add(new Modelled(distinct.b(), false));
      locks.add(new Modelled(distinct.both().readLock(), true));
      locks.add(new Modelled(distinct.both().writeLock(), false));
      locks.get(2).twin = locks.get(3);
      locks.get(3).twin = locks.get(2);
      Words.create(region, locks.size() + OWN_WORDS);
      for (int i = 0; i < THREADS; i++) {
        before.add(new HashSet<>());
      }
    }

    void run() {
      try (Baton baton = new Baton()) {
        for (int turn = 0; turn < TURNS; turn++) {
          int thread = random.nextInt(THREADS);
          Modelled lock = locks.get(random.nextInt(locks.size()));
          int action = random.nextInt(12);
          baton.run("T" + thread, () -> act(action, thread, lock));
          compare();
        }
        for (int thread = 0; thread < THREADS; thread++) {
          int ending = thread;
          for (Modelled lock : locks) {
            while (lock.holds[ending] > 0) {
              baton.run("T" + ending, () -> unlock(ending, lock));
              compare();
            }
          }
        }
        assertThat(durable()).as(reproduce).containsAll(nodes);
        for (int thread = 0; thread < THREADS; thread++) {
          baton.run("T" + thread, region.sections()::sync);
        }
      }
      region.close();
    }

    private void act(int action, int thread, Modelled lock) throws InterruptedException {
      switch (action) {
        case 0, 1, 2, 3 -> tryLock(thread, lock);
        case 4, 5, 6 -> unlock(thread, lock);
        case 7 -> releaseField(thread);
        case 8 -> acquireField(thread);
        case 9 -> interrupted(lock.lock);
        default -> await(thread, lock);
      }
      assertThat(SectionHooks.inSection()).as(reproduce).isEqualTo(depth[thread] > 0);
      if (depth[thread] > 0 && random.nextInt(3) > 0) {
        store(thread);
      }
    }

    private void tryLock(int thread, Modelled lock) throws InterruptedException {
      if (lock.holds[thread] >= HOLDS_MAX) {
        return;
      }
      boolean taken =
          random.nextBoolean() ? lock.lock.tryLock() : lock.lock.tryLock(0, TimeUnit.SECONDS);
      assertThat(taken).as(reproduce).isEqualTo(lock.canBeTaken(thread));
      if (taken) {
        if (lock.holds[thread]++ == 0) {
          acquired(thread, lock.before(), 1);
        } else {
          depth[thread]++;
        }
      }
    }

    private void unlock(int thread, Modelled lock) {
      if (lock.holds[thread] == 0) {
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock.lock::unlock);
        return;
      }
      lock.lock.unlock();
      if (--lock.holds[thread] == 0) {
        boolean letsOthersIn = !lock.shared || lock.twin.holds[thread] == 0;
        released(thread, letsOthersIn ? lock.released : new HashSet<>(), 1);
      } else {
        depth[thread]--;
      }
    }

    /// A wait whose time is over at once: the lock is given up and taken again.
    private void await(int thread, Modelled lock) throws InterruptedException {
      boolean isReader = lock.twin != null && lock.twin.holds[thread] > 0;
      if (lock.shared || isReader) {
        return; // to wait on a write lock as a reader is an error, says the JDK
      }
      if (lock.holds[thread] == 0) {
        assertThatExceptionOfType(IllegalMonitorStateException.class)
            .isThrownBy(() -> lock.lock.newCondition().awaitNanos(0));
        return;
      }
      lock.lock.newCondition().awaitNanos(0);
      released(thread, lock.released, lock.holds[thread]);
      acquired(thread, lock.before(), lock.holds[thread]);
    }

    private static void interrupted(Lock lock) {
      Thread.currentThread().interrupt();
      assertThatExceptionOfType(InterruptedException.class).isThrownBy(lock::lockInterruptibly);
    }

    private void releaseField(int thread) {
      HappensBefore.releasing(field);
      if (depth[thread] > 0) {
        fieldReleased.add(current[thread]);
      } else {
        fieldReleased.addAll(before.get(thread));
      }
    }

    private void acquireField(int thread) {
      HappensBefore.acquired(field);
      (depth[thread] > 0 ? current[thread].dependencies : before.get(thread)).addAll(fieldReleased);
    }

    private void acquired(int thread, Set<Node> others, int levels) {
      if (depth[thread] == 0) {
        current[thread] = new Node(nodes.size());
        nodes.add(current[thread]);
        current[thread].dependencies.addAll(before.get(thread));
      }
      depth[thread] += levels;
      current[thread].dependencies.addAll(others);
    }

    private void released(int thread, Set<Node> released, int levels) {
      released.add(current[thread]);
      depth[thread] -= levels;
      if (depth[thread] == 0) {
        current[thread].ended = true;
        before.get(thread).add(current[thread]);
        current[thread] = null;
      }
    }

    /// Its own word, and one of a lock that nobody else has.
    private void store(int thread) {
      Node section = current[thread];
      section.stored = true;
      Words.write(region, locks.size() + section.id, 1);
      for (int i = 0; i < locks.size(); i++) {
        Modelled lock = locks.get(i);
        if (!lock.shared && lock.holds[thread] > 0) {
          long value = lock.writes.size() + 1L;
          Words.write(region, i, value);
          lock.writes.add(new Write(section, value));
        }
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
      try (Region recovered = Words.open(memory.copy())) {
        List<Long> words = Words.read(recovered, 0, locks.size() + nodes.size());
        for (Node node : nodes) {
          assertThat(words.get(locks.size() + node.id))
              .as("section %d, %s", node.id, reproduce)
              .isEqualTo(node.stored && durable.contains(node) ? 1 : 0);
        }
        for (int i = 0; i < locks.size(); i++) {
          long expected =
              locks.get(i).writes.stream()
                  .filter(write -> durable.contains(write.by))
                  .mapToLong(Write::value)
                  .max()
                  .orElse(0);
          assertThat(words.get(i)).as("word of lock %d, %s", i, reproduce).isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void lock2AgreesWithTheGreatestClosedSet() {
    record All(LockedWords.Locks locks, Object field) {}
    Long only = Long.getLong("holdfast.seed");
    for (long seed = only == null ? 1 : only; seed <= (only == null ? RUNS : only); seed++) {
      All all =
          Stripes.distinct(
                  1,
                  () -> new All(LockedWords.Locks.distinct(), new Object()),
                  a -> {
                    List<Object> keys = new ArrayList<>(a.locks().all());
                    keys.add(a.field());
                    return keys;
                  })
              .getFirst();
      new Run(seed, all.locks(), all.field()).run();
    }
  }
}
