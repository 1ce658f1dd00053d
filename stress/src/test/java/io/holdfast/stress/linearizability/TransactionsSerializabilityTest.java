package io.holdfast.stress.linearizability;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.testkit.TestForm;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/// Whether what threads see of a map, a sorted map and a queue is what a `HashMap`, a `TreeMap` and
/// an `ArrayDeque` would show, if their transactions and single operations ran in some order, one
/// after the other (T1). One thread alone polls: others pass over what a transaction has taken,
/// which may run again, and so say of a queue that it is empty when it is not.
class TransactionsSerializabilityTest {
  /// Enough to see what is wrong.
  private static final int NOTICING = 25;

  private static StressOptions options() {
    return new StressOptions()
        .iterations(TestForm.count(4, NOTICING))
        .invocationsPerIteration(300)
        .threads(3)
        .actorsPerThread(3)
        .minimizeFailedScenario(false)
        .sequentialSpecification(Sequential.class);
  }

  @AfterAll
  static void close() throws IOException {
    LinearizabilityStore.close();
  }

  @Test
  void t1TransactionsAreSerializable() {
    options().check(Persistent.class);
  }

  /// A check that can't fail would show nothing.
  @Test
  void sectionsWithoutIsolationAreNoticed() {
    assertThatThrownBy(() -> options().iterations(NOTICING).check(Bare.class))
        .isInstanceOf(LincheckAssertionError.class);
  }

  /// Small transactions over three collections, and single operations beside them.
  @Param(name = "key", gen = IntGen.class, conf = "1:3")
  @Param(name = "value", gen = IntGen.class, conf = "1:3")
  public abstract static class Operations {
    private final Map<Integer, Integer> map;
    private final NavigableMap<Integer, Integer> tree;
    private final Queue<Integer> queue;

    Operations(
        Map<Integer, Integer> map, NavigableMap<Integer, Integer> tree, Queue<Integer> queue) {
      this.map = map;
      this.tree = tree;
      this.queue = queue;
    }

    abstract <T> T transaction(Supplier<T> body);

    /// What comes between two steps of a transaction.
    void pause() {
      // nothing
    }

    @Operation
    public int transfer(
        @Param(name = "key") int from,
        @Param(name = "key") int to,
        @Param(name = "value") int amount) {
      return transaction(
          () -> {
            int have = map.getOrDefault(from, 0);
            pause();
            map.put(from, have - amount);
            return map.merge(to, amount, Integer::sum);
          });
    }

    @Operation
    public int both(@Param(name = "key") int one, @Param(name = "key") int other) {
      return transaction(
          () -> {
            int first = map.getOrDefault(one, 0);
            pause();
            return 100 * first + map.getOrDefault(other, 0);
          });
    }

    /// From the map into the sorted map.
    @Operation
    public int move(@Param(name = "key") int key) {
      return transaction(
          () -> {
            Integer moved = map.remove(key);
            pause();
            return moved == null ? 0 : tree.merge(key, moved, Integer::sum);
          });
    }

    @Operation(nonParallelGroup = "polls")
    public int pollAndPut(@Param(name = "key") int key) {
      return transaction(
          () -> {
            Integer polled = queue.poll();
            pause();
            if (polled != null) {
              tree.put(key, polled);
            }
            return polled == null ? 0 : polled;
          });
    }

    /// Offers what the sorted map has, and gives up if that is nothing.
    @Operation
    public int removeAndOffer(@Param(name = "key") int key) {
      return transaction(
          () -> {
            Integer removed = tree.remove(key);
            pause();
            if (removed != null) {
              queue.add(removed);
            }
            return removed == null ? 0 : removed;
          });
    }

    @Operation
    public int sum(@Param(name = "key") int from) {
      return transaction(
          () -> {
            int sum = 0;
            for (int each : tree.tailMap(from, true).values()) {
              sum += each;
              pause();
            }
            return 100 * sum + map.getOrDefault(from, 0);
          });
    }

    @Operation
    public boolean offer(@Param(name = "value") int value) {
      return queue.offer(value);
    }

    @Operation(nonParallelGroup = "polls")
    public Integer poll() {
      return queue.poll();
    }

    @Operation
    public Integer putInTree(@Param(name = "key") int key, @Param(name = "value") int value) {
      return tree.put(key, value);
    }

    @Operation
    public Integer getInMap(@Param(name = "key") int key) {
      return map.get(key);
    }
  }

  /// What they must be like.
  public static final class Sequential extends Operations {
    public Sequential() {
      super(new HashMap<>(), new TreeMap<>(), new ArrayDeque<>());
    }

    @Override
    <T> T transaction(Supplier<T> body) {
      return body.get();
    }
  }

  /// Collections that are used again when they were long unused.
  public static class Persistent extends Operations {
    private static final int SETS = 16;
    private static final AtomicInteger MADE = new AtomicInteger();
    private static final Holdfast STORE = LinearizabilityStore.open();

    public Persistent() {
      this(MADE.incrementAndGet() % SETS);
    }

    private Persistent(int number) {
      super(
          empty(STORE.hashMap("map " + number, Integer.class, Integer.class)),
          empty(STORE.treeMap("sorted " + number, Integer.class, Integer.class)),
          STORE.queue("queue of transactions " + number, Integer.class));
      STORE.queue("queue of transactions " + number, Integer.class).clear();
    }

    private static <M extends Map<?, ?>> M empty(M map) {
      map.clear();
      return map;
    }

    @Override
    <T> T transaction(Supplier<T> body) {
      return STORE.transaction(body);
    }
  }

  /// A fault.
  public static final class Bare extends Persistent {
    @Override
    <T> T transaction(Supplier<T> body) {
      return body.get();
    }

    @Override
    void pause() {
      Thread.yield();
    }
  }
}
