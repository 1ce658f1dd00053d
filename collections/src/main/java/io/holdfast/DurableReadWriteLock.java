package io.holdfast;

import io.holdfast.core.section.hooks.SectionHooks;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/// A pair of reentrant locks, one shared by readers and one for a single writer, whose critical
/// sections survive a crash whole or not at all: each of the two is a lock as {@link DurableLock}
/// describes it. A reader's section may change a store too, through what is safe for many threads.
///
/// | takes the lock | depends on the sections, not durable yet, of those who had it before |
/// |---|---|
/// | reader | writers |
/// | writer | writers and readers |
///
/// Readers do not depend on each other, since none lets another in. A writer may take the read lock
/// and then release the write lock: readers who come in then depend on its section, which goes on.
/// As with the JDK's, a reader can't become a writer, and only the write lock has conditions.
///
/// Otherwise it is the JDK's {@link ReentrantReadWriteLock}.
///
/// Thread-safe, for platform and virtual threads alike.
public final class DurableReadWriteLock implements ReadWriteLock {
  private final ReentrantReadWriteLock locks;
  private final ReadLock readLock;
  private final WriteLock writeLock;

  /// A lock that is not fair.
  public DurableReadWriteLock() {
    this(false);
  }

  /// @param fair whether threads come in roughly the order in which they asked
  public DurableReadWriteLock(boolean fair) {
    locks = new ReentrantReadWriteLock(fair);
    readLock = new ReadLock(locks.readLock());
    writeLock = new WriteLock(locks.writeLock());
  }

  /// The lock for readers. Its `newCondition` throws {@link UnsupportedOperationException}.
  @Override
  public Lock readLock() {
    return readLock;
  }

  /// The lock for writers.
  @Override
  public Lock writeLock() {
    return writeLock;
  }

  /// How many hold it, as the JDK's lock says it.
  @Override
  public String toString() {
    String state = locks.toString();
    return super.toString() + state.substring(state.indexOf('['));
  }

  /// Stands for the releases of readers, and acquires those of writers.
  private final class ReadLock extends DelimitingLock {
    ReadLock(Lock lock) {
      super(lock);
    }

    @Override
    int holds() {
      return locks.getReadHoldCount();
    }

    @Override
    void acquired() {
      SectionHooks.acquired(writeLock);
    }

    /// While the thread is the writer too, it lets nobody in; the writer's release does (HOLDS-3).
    @Override
    void releasing() {
      if (locks.isWriteLockedByCurrentThread()) {
        SectionHooks.exit();
      } else {
        SectionHooks.releasing(this);
      }
    }
  }

  /// Stands for the releases of writers, and acquires those of writers and of readers.
  private final class WriteLock extends DelimitingLock {
    WriteLock(Lock lock) {
      super(lock);
    }

    @Override
    int holds() {
      return locks.getWriteHoldCount();
    }

    @Override
    void acquired() {
      super.acquired();
      try {
        SectionHooks.observed(readLock);
      } catch (Throwable e) {
        SectionHooks.exit(); // the lock is given back
        throw e;
      }
    }

    @Override
    void awaited(int holds) {
      super.awaited(holds);
      SectionHooks.observed(readLock);
    }
  }
}
