package com.example.buffer;

import java.util.List;
import java.util.Queue;

/// Takes items, and keeps of each producer how many of its items were taken.
///
/// Thread-safe.
public final class Consumer {
  private final BoundedBuffer<Item> buffer;
  private final List<Queue<Long>> taken;

  /// @param taken holds one number for each producer
  public Consumer(BoundedBuffer<Item> buffer, List<Queue<Long>> taken) {
    this.buffer = buffer;
    this.taken = List.copyOf(taken);
  }

  /// Takes one item: it is gone and counted, or neither.
  ///
  /// @return the item
  /// @throws IllegalStateException if it is not the next of its producer
  public Item consume() throws InterruptedException {
    synchronized (buffer) {
      Item item = buffer.take();
      Queue<Long> count = taken.get(item.producer());
      if (count.remove() != item.number()) {
        throw new IllegalStateException("not the next of its producer: " + item);
      }
      count.add(item.number() + 1);
      return item;
    }
  }
}
