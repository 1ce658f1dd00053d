package com.example.inventory;

import java.util.Queue;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/// What lies on the shelf, is reserved for a customer, or was shipped. Many count, few move.
///
/// Thread-safe.
public final class Inventory {
  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private final Queue<String> shelf;
  private final Queue<String> reserved;
  private final Queue<String> shipped;

  public Inventory(Queue<String> shelf, Queue<String> reserved, Queue<String> shipped) {
    this.shelf = shelf;
    this.reserved = reserved;
    this.shipped = shipped;
  }

  /// @return whether there was something on the shelf
  public boolean reserve() {
    return move(shelf, reserved);
  }

  /// @return whether something was reserved
  public boolean ship() {
    return move(reserved, shipped);
  }

  /// @return whether something came back
  public boolean takeBack() {
    return move(shipped, shelf);
  }

  private boolean move(Queue<String> from, Queue<String> to) {
    lock.writeLock().lock();
    try {
      String item = from.poll();
      return item != null && to.add(item);
    } finally {
      lock.writeLock().unlock();
    }
  }

  /// All items, wherever they are.
  public int count() {
    lock.readLock().lock();
    try {
      return shelf.size() + reserved.size() + shipped.size();
    } finally {
      lock.readLock().unlock();
    }
  }
}
