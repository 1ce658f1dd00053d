package com.acme.finding;

import io.holdfast.Holdfast;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/// A program whose threads change collections of a store under a lock, and read them under it
/// (`right`), without it (`wrong`), or without it when the changing thread has ended (`late`),
/// everything twice.
public class Readers {
  private final ConcurrentMap<String, Long> map;
  private final Map<String, Long> other;
  private final ConcurrentMap<String, Long> free;
  private final ReadWriteLock lock = new ReentrantReadWriteLock();

  Readers(Holdfast store) {
    map = store.hashMap("map", String.class, Long.class);
    other = store.treeMap("other", String.class, Long.class);
    free = store.hashMap("free", String.class, Long.class);
  }

  public static void main(String[] arguments) throws Exception {
    String how = arguments[1];
    try (Holdfast store = Holdfast.open(Path.of(arguments[0]))) {
      Readers readers = new Readers(store);
      readers.fill();
      for (int i = 0; i < 2; i++) {
        CountDownLatch changed = new CountDownLatch(1);
        CountDownLatch read = new CountDownLatch(1);
        Thread changing = new Thread(() -> readers.changeAndStay(changed, read));
        changing.start();
        changed.await();
        if (how.equals("late")) {
          read.countDown();
          changing.join();
        }
        if (how.equals("right")) {
          readers.readsUnderTheMonitor();
          readers.readsUnderTheOtherLock();
        } else {
          readers.reads();
          readers.readsUnderAnotherLock();
        }
        readers.readsWhatNeedsNoLock();
        read.countDown();
        changing.join();
      }
      Careless.report().forEach(each -> System.out.println("report: " + each));
    }
  }

  private void changeAndStay(CountDownLatch changed, CountDownLatch read) {
    change();
    changed.countDown();
    try {
      read.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts", e);
    }
  }

  /// Before others know of it.
  private void fill() {
    map.put("key", 0L);
    synchronized (this) {
      free.put("key", 0L);
    }
  }

  private void change() {
    for (long i = 0; i < 2; i++) {
      synchronized (this) {
        map.put("key", i);
      }
      lock.writeLock().lock();
      try {
        other.put("key", i);
      } finally {
        lock.writeLock().unlock();
      }
      free.put("key", i);
    }
  }

  private void reads() {
    if (map.get("key") == null) {
      throw new IllegalStateException();
    }
  }

  private synchronized void readsUnderAnotherLock() {
    if (other.get("key") == null) {
      throw new IllegalStateException();
    }
  }

  private synchronized void readsUnderTheMonitor() {
    reads();
  }

  private void readsUnderTheOtherLock() {
    lock.readLock().lock();
    try {
      if (other.get("key") == null) {
        throw new IllegalStateException();
      }
    } finally {
      lock.readLock().unlock();
    }
  }

  private void readsWhatNeedsNoLock() {
    if (free.get("key") == null) {
      throw new IllegalStateException();
    }
  }
}
