package io.holdfast.jmh.queue;

import io.holdfast.jmh.map.Maps;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Opens queues by the names that benchmarks have for them.
public final class Queues {
  public static final String HOLDFAST = "Holdfast";
  public static final String HOLDFAST_POWER = "HoldfastPower";
  public static final String ARRAY_BLOCKING_QUEUE = "ArrayBlockingQueue";
  public static final String CONCURRENT_LINKED_QUEUE = "ConcurrentLinkedQueue";
  public static final String CHRONICLE_QUEUE = "ChronicleQueue";

  /// Those that need no peer.
  public static final List<String> OWN =
      List.of(HOLDFAST, HOLDFAST_POWER, ARRAY_BLOCKING_QUEUE, CONCURRENT_LINKED_QUEUE);

  /// In the order of reports.
  public static final List<String> ALL =
      List.of(
          HOLDFAST, HOLDFAST_POWER, ARRAY_BLOCKING_QUEUE, CONCURRENT_LINKED_QUEUE, CHRONICLE_QUEUE);

  private Queues() {}

  /// Creates a queue in a directory, which exists.
  ///
  /// @param capacity elements that are never exceeded
  public static BenchmarkQueue create(String name, Path directory, int capacity) {
    return switch (name) {
      case HOLDFAST -> new HoldfastQueue(directory, false);
      case HOLDFAST_POWER -> new HoldfastQueue(directory, true);
      case ARRAY_BLOCKING_QUEUE -> inMemory(new ArrayBlockingQueue<>(capacity));
      case CONCURRENT_LINKED_QUEUE -> inMemory(new ConcurrentLinkedQueue<>());
      default -> Maps.requirePeers(name).createQueue(name, directory);
    };
  }

  private static BenchmarkQueue inMemory(Queue<byte[]> queue) {
    return new BenchmarkQueue() {
      @Override
      public Access access() {
        return of(queue);
      }

      @Override
      public void close() {
        queue.clear();
      }
    };
  }

  static BenchmarkQueue.Access of(Queue<byte[]> queue) {
    return new BenchmarkQueue.Access() {
      @Override
      public void offer(byte[] element) {
        queue.add(element);
      }

      @Override
      public byte[] poll() {
        return queue.poll();
      }
    };
  }
}
