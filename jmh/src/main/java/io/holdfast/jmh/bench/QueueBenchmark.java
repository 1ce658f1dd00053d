package io.holdfast.jmh.bench;

import io.holdfast.Holdfast;
import io.holdfast.jmh.process.Scratch;
import io.holdfast.jmh.process.TimedBenchmark;
import io.holdfast.jmh.queue.BenchmarkQueue;
import io.holdfast.jmh.queue.HoldfastQueue;
import io.holdfast.jmh.suite.Experiment;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// An operation numbers an element, offers it, polls the oldest and returns it; 100 elements are
/// always inside. A queue that persists copies the element in and makes a new array when it comes
/// out. In memory it is the very object, so there a program has to make a new one for each offer
/// (`fresh`, by which the targets judge, for all queues) unless it can do with one array that is in
/// the queue a hundred times (`reused`, which for a queue that copies is no lie). The peer is
/// `ChronicleQueueBenchmark`, in the profile `peers`.
@Experiment(
    question =
        "what does a pair of `offer` and `poll` cost, in one thread, with elements of"
            + " 64 bytes?",
    floor = "the `java.util.concurrent` twins, which keep a reference",
    variables =
        "the queue, and ours where the power may fail (`Power`); whether each element is a new"
            + " array (`Fresh`) or one that is used again (`Reused`)")
@Fork(1)
public class QueueBenchmark extends TimedBenchmark {
  /// Of the bounded queue; never reached.
  private static final int CAPACITY = 1024;

  /// Ours.
  @State(Scope.Thread)
  public static class Persistent {
    final Elements elements = new Elements();
    Queue<byte[]> queue;
    private Scratch scratch;
    private Holdfast store;

    @Setup
    public void open() {
      scratch = new Scratch();
      store = Holdfast.open(scratch.file("queue.hf"));
      queue = store.queue("queue", byte[].class);
      prefill(queue, elements);
    }

    @TearDown
    public void close() {
      store.close();
      scratch.close();
    }
  }

  /// Ours, on what is treated as persistent memory.
  @State(Scope.Thread)
  public static class Power {
    final Elements elements = new Elements();
    private Scratch scratch;
    private HoldfastQueue opened;
    BenchmarkQueue.Access queue;

    @Setup
    public void open() {
      scratch = new Scratch();
      opened = new HoldfastQueue(scratch.directory(), true);
      queue = opened.access();
      for (int i = 0; i < Elements.PREFILL; i++) {
        queue.offer(elements.fresh());
      }
    }

    @TearDown
    public void close() {
      opened.close();
      scratch.close();
    }
  }

  /// The twins.
  @State(Scope.Thread)
  public static class InMemory {
    final Elements elements = new Elements();
    final ArrayBlockingQueue<byte[]> array = new ArrayBlockingQueue<>(CAPACITY);
    final ConcurrentLinkedQueue<byte[]> lockFree = new ConcurrentLinkedQueue<>();

    @Setup
    public void fill() {
      prefill(array, elements);
      prefill(lockFree, elements);
    }
  }

  private static void prefill(Queue<byte[]> queue, Elements elements) {
    for (int i = 0; i < Elements.PREFILL; i++) {
      queue.offer(elements.fresh());
    }
  }

  @Benchmark
  public byte[] persistentQueueFresh(Persistent state) {
    state.queue.offer(state.elements.fresh());
    return state.queue.poll();
  }

  @Benchmark
  public byte[] persistentQueueReused(Persistent state) {
    state.queue.offer(state.elements.reused());
    return state.queue.poll();
  }

  @Benchmark
  @Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
  public byte[] persistentQueuePower(Power state) {
    state.queue.offer(state.elements.fresh());
    return state.queue.poll();
  }

  @Benchmark
  public byte[] arrayBlockingQueueFresh(InMemory state) {
    state.array.offer(state.elements.fresh());
    return state.array.poll();
  }

  @Benchmark
  public byte[] arrayBlockingQueueReused(InMemory state) {
    state.array.offer(state.elements.reused());
    return state.array.poll();
  }

  @Benchmark
  public byte[] concurrentLinkedQueueFresh(InMemory state) {
    state.lockFree.offer(state.elements.fresh());
    return state.lockFree.poll();
  }

  @Benchmark
  public byte[] concurrentLinkedQueueReused(InMemory state) {
    state.lockFree.offer(state.elements.reused());
    return state.lockFree.poll();
  }
}
