package io.holdfast.stress.faults;

import io.holdfast.core.memory.EndMark;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.section.Section;
import io.holdfast.core.section.SectionLock;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/// What code with a fault calls in place of an operation that keeps an order. Named after that
/// operation, which has the same operands.
public final class Weaker {
  public static void writeLoggedByte(Memory memory, long offset, byte value) {
    memory.writeBytesPlain(offset, new byte[] {value}, 0, 1);
  }

  public static void writeEntryRelease(
      Memory memory, long offset, long w0, long w1, long w2, long last) {
    memory.writePlain(offset, w0);
    memory.writePlain(offset + 8, w1);
    memory.writePlain(offset + 16, w2);
    memory.writePlain(offset + 24, last);
  }

  public static EndMark writeEnd(Memory memory, long offset, long value) {
    memory.writePlain(offset, value);
    return EndMark.STORED;
  }

  public static void lock(ReentrantLock lock) {
    lock.lock();
    lock.unlock();
  }

  public static void lock(Lock lock) {
    lock.lock();
    lock.unlock();
  }

  public static Section lock(SectionLock lock) {
    Section section = lock.lock();
    lock.waiting().unlock();
    return section;
  }

  public static Section lockUnlessHoldingBack(SectionLock lock) {
    Section section = lock.lockUnlessHoldingBack();
    if (section != null) {
      lock.waiting().unlock();
    }
    return section;
  }

  public static void hold(SectionLock lock) {
    lock.hold();
    lock.waiting().unlock();
  }

  public static void take(SectionLock lock) {
    lock.take();
    lock.unlock();
  }

  /// Lets others run: what a method that has lost its lock does before each step, so that they come
  /// in between also where there are few processors.
  public static void giveWay() {
    Thread.yield();
  }

  /// As all code that is tried unlocks, with a fault or without: whoever gave up a lock too early
  /// gives it up only once.
  public static void unlock(ReentrantLock lock) {
    if (lock.isHeldByCurrentThread()) {
      lock.unlock();
    }
  }

  private Weaker() {}
}
