package io.holdfast.stress.workload;

import io.holdfast.core.section.hooks.SectionHooks;
import java.util.concurrent.locks.ReentrantLock;

/// A lock that tells sections of itself, as woven code does: after each acquire, before each
/// release.
final class HookedLock {
  private final ReentrantLock lock = new ReentrantLock();

  void lock() {
    lock.lock();
    SectionHooks.acquired(lock);
  }

  void unlock() {
    SectionHooks.releasing(lock);
    lock.unlock();
  }
}
