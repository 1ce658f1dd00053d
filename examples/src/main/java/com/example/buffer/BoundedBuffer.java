package com.example.buffer;

import java.util.Queue;

/// A buffer with room for so many elements: a thread that finds no room waits, and so does one that
/// finds no element.
///
/// Thread-safe.
public final class BoundedBuffer<E> {
  private final Queue<E> elements;
  private final int capacity;

  public BoundedBuffer(Queue<E> elements, int capacity) {
    this.elements = elements;
    this.capacity = capacity;
  }

  /// Waits for room.
  public synchronized void put(E element) throws InterruptedException {
    while (elements.size() >= capacity) {
      wait();
    }
    elements.add(element);
    notifyAll();
  }

  /// Waits for an element.
  public synchronized E take() throws InterruptedException {
    while (elements.isEmpty()) {
      wait();
    }
    E element = elements.remove();
    notifyAll();
    return element;
  }
}
