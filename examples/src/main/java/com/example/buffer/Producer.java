package com.example.buffer;

import java.util.Queue;

/// Makes items with ascending numbers, and keeps what the next one is.
///
/// Confined to its thread.
public final class Producer {
  private final int id;
  private final BoundedBuffer<Item> buffer;
  private final Queue<Long> next;

  /// @param next holds one number
  public Producer(int id, BoundedBuffer<Item> buffer, Queue<Long> next) {
    this.id = id;
    this.buffer = buffer;
    this.next = next;
  }

  /// Makes one item: it is in the buffer and counted, or neither.
  public void produce() throws InterruptedException {
    synchronized (buffer) {
      long number = next.element();
      buffer.put(new Item(id, number));
      next.remove();
      next.add(number + 1);
    }
  }
}
