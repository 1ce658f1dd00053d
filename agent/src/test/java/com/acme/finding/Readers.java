package com.acme.finding;

import io.holdfast.Holdfast;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/// A program whose threads change collections of a store under a lock, and read them under it
/// (`right`) or not (`wrong`), everything twice.
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
    boolean right = arguments[1].equals("right");
    try (Holdfast store = Holdfast.open(Path.of(arguments[0]))) {
      Readers readers = new Readers(store);
      readers.fill();
      for (int i = 0; i < 2; i++) {
        Thread changing = new Thread(readers::change);
        changing.start();
        changing.join();
        if (right) {
          readers.readsUnderTheMonitor();
          readers.readsUnderTheOtherLock();
        } else {
          readers.reads();
          readers.readsUnderAnotherLock();
        }
        readers.readsWhatNeedsNoLock();
      }
      Careless.report().forEach(each -> System.out.println("report: " + each));
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
