package io.holdfast.core.section;

import java.util.concurrent.locks.ReentrantLock;

/// A reentrant lock whose critical sections are failure-atomic.
///
/// The end precedes the release: a section is durable, or waiting, before its last lock is given
/// up.
public final class SectionLock {
  private final ReentrantLock lock = new ReentrantLock();
  private final Object key;

  /// @param key what stands for the lock in dependencies. Locks between which there are edges of
  ///   their own, as between the two ends of a queue, share a key.
  public SectionLock(Object key) {
    this.key = key;
  }

  public void lock() {
    lock.lock();
    SectionHooks.acquired(key);
  }

  public void unlock() {
    SectionHooks.releasing(key);
    lock.unlock();
  }
}
