package io.holdfast.core.section;

import java.util.concurrent.locks.ReentrantLock;

/// A lock of a region's own whose critical sections are failure-atomic.
///
/// The end precedes the release: the section is durable, or waiting, or has published its open
/// release, before the lock is given up ({@link #endSection}); between the two the holder may tell
/// others, by a plain counter, what they will find.
///
/// Waiting for what another thread does is done on {@link #waiting}, the same lock without
/// sections: who waits there has changed nothing, and holds nothing of the region's.
public final class SectionLock {
  /// How often a thread tries before it parks: for some 5 to 20 µs, longer than the lock is held
  /// for most operations. A park took 35 to 130 µs: two threads that insert into a tree were parked
  /// for 500 of the 900 ns of an insertion.
  private static final int TRIES = Runtime.getRuntime().availableProcessors() > 1 ? 500 : 0;

  private final ReentrantLock lock = new ReentrantLock();
  private final Sections region;
  private final Object key;

  /// @param key what stands for the lock in dependencies. Locks between which there are edges of
  ///   their own, as between the two ends of a queue, share a key.
  public SectionLock(Sections region, Object key) {
    this.region = region;
    this.key = key;
  }

  /// Locks, and enters a section or goes one deeper.
  ///
  /// @return the calling thread's section
  public Section lock() {
    take();
    ThreadSections thread = ThreadSections.current();
    int outer = thread.depth();
    try {
      thread.enter(key);
      return thread.in(region);
    } catch (RuntimeException | Error e) {
      // FAULT-1: an access that this thread made before can be thrown here. The caller, who was not
      // given a section, ends none.
      thread.comeBackTo(outer);
      lock.unlock();
      throw e;
    }
  }

  /// Locks without a section, for whom {@link #waiting} is to be unlocked.
  public void take() {
    for (int i = 0; i < TRIES; i++) {
      if (lock.tryLock()) {
        return;
      }
      Thread.onSpinWait();
    }
    lock.lock();
  }

  /// Ends the section, or comes one up, while the lock is still held.
  ///
  /// @param section what {@link #lock} returned
  public void endSection(Section section) {
    section.exit(key);
  }

  /// Unlocks; the section was ended before.
  public void unlock() {
    lock.unlock();
  }

  /// The same lock without sections.
  public ReentrantLock waiting() {
    return lock;
  }
}
