package io.holdfast.stress.linearizability;

import io.holdfast.collections.PersistentQueue;
import io.holdfast.testkit.TestForm;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/// Whether what threads see of a queue is what an `ArrayDeque` would show in some order of their
/// operations.
class QueueLinearizabilityTest {
  @AfterAll
  static void close() throws IOException {
    LinearizabilityStore.close();
  }

  @Test
  void bothEnds() {
    new StressOptions()
        .iterations(TestForm.count(5, 10))
        .invocationsPerIteration(300)
        .threads(3)
        .actorsPerThread(3)
        .minimizeFailedScenario(false)
        .sequentialSpecification(Sequential.class)
        .check(Persistent.class);
  }

  /// What the queue must be like.
  public static final class Sequential {
    private final Queue<Integer> queue = new ArrayDeque<>();

    public boolean offer(int element) {
      return queue.offer(element);
    }

    public Integer poll() {
      return queue.poll();
    }

    public Integer peek() {
      return queue.peek();
    }

    public boolean remove(int element) {
      return queue.remove(element);
    }

    public int size() {
      return queue.size();
    }
  }

  /// The queue itself, used again when it was long unused.
  @Param(name = "element", gen = IntGen.class, conf = "1:3")
  public static final class Persistent {
    private static final int QUEUES = 16;
    private static final AtomicInteger MADE = new AtomicInteger();

    private final PersistentQueue<Integer> queue =
        LinearizabilityStore.open()
            .queue("queue " + MADE.incrementAndGet() % QUEUES, Integer.class);

    public Persistent() {
      queue.clear();
    }

    @Operation
    public boolean offer(@Param(name = "element") int element) {
      return queue.offer(element);
    }

    @Operation
    public Integer poll() {
      return queue.poll();
    }

    @Operation
    public Integer peek() {
      return queue.peek();
    }

    @Operation
    public boolean remove(@Param(name = "element") int element) {
      return queue.remove((Object) element);
    }

    @Operation
    public int size() {
      return queue.size();
    }
  }
}
