package io.holdfast.jmh.map;

import java.nio.file.Path;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.eclipse.serializer.collections.lazy.LazyHashMap;
import org.eclipse.store.storage.embedded.types.EmbeddedStorage;
import org.eclipse.store.storage.embedded.types.EmbeddedStorageManager;

/// EclipseStore with its `LazyHashMap`, which its documentation has for large maps: a put stores
/// what of it has changed, its segment. The object graph is the program's to guard, so there is a
/// read-write lock. What is stored has been written to the file, and is not synced; there is no
/// setting for that.
final class EclipseStoreMap implements BenchmarkMap {
  private final EmbeddedStorageManager storage;
  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private LazyHashMap<Object, Object> map;
  private boolean together;

  @SuppressWarnings("unchecked")
  EclipseStoreMap(Path directory) {
    storage = EmbeddedStorage.start(directory.resolve("eclipse"));
    map = (LazyHashMap<Object, Object>) storage.root();
    if (map == null) {
      map = new LazyHashMap<>();
      storage.setRoot(map);
      storage.storeRoot();
    }
  }

  /// Sixteen bytes as a key: an array has no equals.
  static final class Key {
    private final long first;
    private final long second;

    Key(byte[] bytes) {
      first = Items.word(bytes, 0);
      second = Items.word(bytes, Long.BYTES);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Key its && first == its.first && second == its.second;
    }

    @Override
    public int hashCode() {
      return Long.hashCode(first);
    }
  }

  private void put(Object key, Object value) {
    Lock writing = lock.writeLock();
    writing.lock();
    try {
      map.put(key, value);
      if (!together) {
        storage.store(map);
      }
    } finally {
      writing.unlock();
    }
  }

  private Object get(Object key) {
    Lock reading = lock.readLock();
    reading.lock();
    try {
      Object found = map.get(key);
      if (found == null) {
        throw BenchmarkMap.missing(key);
      }
      return found;
    } finally {
      reading.unlock();
    }
  }

  @Override
  public void together(Runnable puts) {
    together = true;
    try {
      puts.run();
    } finally {
      together = false;
    }
    storage.store(map);
  }

  @Override
  public LongAccess longs() {
    return new LongAccess() {
      @Override
      public void put(long key, long value) {
        EclipseStoreMap.this.put(key, value);
      }

      @Override
      public long get(long key) {
        return (Long) EclipseStoreMap.this.get(key);
      }
    };
  }

  @Override
  public ByteAccess bytes() {
    return new ByteAccess() {
      @Override
      public void put(byte[] key, byte[] value) {
        EclipseStoreMap.this.put(new Key(key), value);
      }

      @Override
      public byte[] get(byte[] key) {
        return (byte[]) EclipseStoreMap.this.get(new Key(key));
      }
    };
  }

  @Override
  public void close() {
    storage.shutdown();
  }
}
