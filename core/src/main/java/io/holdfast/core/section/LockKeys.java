package io.holdfast.core.section;

import io.holdfast.core.section.commit.WeakIdentityMap;
import java.lang.ref.WeakReference;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/// What stands for a lock in dependencies, for locks that are several objects: the two of a
/// read-write lock, a {@link StampedLock} and its views. They share a key, so a reader depends on
/// readers too if they released openly, which delays it and does no harm.
///
/// The JDK's objects don't say to whom they belong. So it is noted when woven code asks a
/// read-write lock for them; those that it got in other ways share one key, {@link #UNPAIRED}, and
/// who takes a lock with a key looks there too.
///
/// Keeps no lock alive. Thread-safe.
public final class LockKeys {
  /// Of locks of which it is not known to whom they belong.
  static final Object UNPAIRED = new Object();

  private static final Class<?> READ_VIEW = new StampedLock().asReadLock().getClass();
  private static final Class<?> WRITE_VIEW = new StampedLock().asWriteLock().getClass();
  private static final Class<?> PAIR_OF_VIEWS = new StampedLock().asReadWriteLock().getClass();

  private static final WeakIdentityMap<Object> KEYS = new WeakIdentityMap<>();

  /// In front of KEYS, by identity hash; read and written in races. A power of two.
  private static final Known[] RECENT = new Known[1 << 8];

  private static final class Known extends WeakReference<Object> {
    private final Object key;

    Known(Object lock, Object key) {
      super(lock);
      this.key = key;
    }
  }

  public static Object ofLock(Lock lock) {
    return lock.getClass() == ReentrantLock.class ? lock : of(lock);
  }

  public static Object of(Object lock) {
    Known known = RECENT[place(lock)];
    return known != null && known.refersTo(lock) ? known.key : find(lock);
  }

  private static Object find(Object lock) {
    Object key = KEYS.get(lock);
    if (key != null) {
      RECENT[place(lock)] = new Known(lock, key);
      return key;
    }
    return isHalf(lock) ? UNPAIRED : lock;
  }

  private static int place(Object lock) {
    int hash = System.identityHashCode(lock);
    return (hash ^ hash >>> 16) & (RECENT.length - 1);
  }

  public static boolean isHalf(Object lock) {
    Class<?> type = lock.getClass();
    return type == ReentrantReadWriteLock.ReadLock.class
        || type == ReentrantReadWriteLock.WriteLock.class
        || type == READ_VIEW
        || type == WRITE_VIEW;
  }

  /// Gives a lock a key of its own, if it has none yet.
  public static Object ofWhole(Object lock) {
    Known known = RECENT[place(lock)];
    if (known != null && known.refersTo(lock)) {
      return known.key;
    }
    Object key = KEYS.computeIfAbsent(lock, Object::new);
    RECENT[place(lock)] = new Known(lock, key);
    return key;
  }

  /// Notes that a lock of a pair shares a key with the other one. The JDK's two are the same at
  /// each call. A pair of the program's own is asked for nothing that the program has not asked
  /// for: it may make its locks at each call, or refuse one.
  ///
  /// @param half what the pair has given
  public static void pair(ReadWriteLock pair, Lock half) {
    if (pair instanceof ReentrantReadWriteLock && isHalf(half)
        || pair.getClass() == PAIR_OF_VIEWS) {
      pairOfJdk(pair);
    } else if (half != null && !isHalf(half) && !(half instanceof SelfReporting)) {
      view(pair, half);
    }
  }

  private static void pairOfJdk(ReadWriteLock pair) {
    Known known = RECENT[place(pair)];
    if (known != null && known.refersTo(pair)) {
      return;
    }
    Lock read = pair.readLock();
    if (read.getClass() == READ_VIEW && KEYS.get(pair) == null) {
      return; // belongs to nobody knows which StampedLock
    }
    Object key = KEYS.computeIfAbsent(pair, Object::new);
    KEYS.put(read, key);
    KEYS.put(pair.writeLock(), key);
    RECENT[place(pair)] = new Known(pair, key);
  }

  /// Notes that a view of a lock has the lock's key, which is looked for first: a function that
  /// changes the map it is computed for may find its bin in use ("Recursive update"), and two
  /// threads' functions can wait for each other.
  public static void view(Object whole, Object view) {
    Object key = ofWhole(whole);
    KEYS.computeIfAbsent(view, () -> key);
  }

  private LockKeys() {}
}
