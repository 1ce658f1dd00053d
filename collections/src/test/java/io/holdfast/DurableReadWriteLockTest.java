package io.holdfast;

import static io.holdfast.LockedWords.assertInSection;
import static io.holdfast.LockedWords.awaitBlocked;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What depends on what through a read-write lock.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DurableReadWriteLockTest {
  private final LockedWords words = new LockedWords();
  private final DurableReadWriteLock both = words.locks.both();
  private final Lock reading = both.readLock();
  private final Lock writing = both.writeLock();
  private final Lock outer = words.locks.a();

  @AfterEach
  void close() {
    words.close();
  }

  private void locked(Lock lock, int index) {
    lock.lock();
    words.write(index);
    lock.unlock();
  }

  @Test
  void p2ReadersAfterAWriter() {
    outer.lock();
    locked(writing, 0);
    words.in("reader", () -> locked(reading, 1));
    words.in("another", () -> locked(reading, 2));
    words.in("none", () -> locked(words.locks.b(), 3));
    words.assertKept(3);
    outer.unlock();
    words.assertKept(0, 1, 2, 3);
  }

  @Test
  void p2AWriterAfterReaders() {
    outer.lock();
    locked(reading, 0);
    words.in(
        "reader",
        () -> {
          words.locks.b().lock();
          locked(reading, 1);
        });
    words.in("writer", () -> locked(writing, 2));
    words.assertKept();
    outer.unlock();
    words.assertKept(0);
    words.in("reader", () -> words.locks.b().unlock());
    words.assertKept(0, 1, 2);
  }

  @Test
  void p2AWriterAfterAWriter() {
    outer.lock();
    locked(writing, 0);
    words.in("writer", () -> locked(writing, 1));
    words.assertKept();
    outer.unlock();
    words.assertKept(0, 1);
  }

  @Test
  void readersDoNotDependOnEachOther() {
    outer.lock();
    locked(reading, 0);
    words.in("reader", () -> locked(reading, 1));
    words.assertKept(1);
    reading.lock();
    words.in("reader", () -> locked(reading, 2));
    words.assertKept(1, 2);
    reading.unlock();
    outer.unlock();
    words.assertKept(0, 1, 2);
  }

  /// The section of who goes from writing to reading goes on.
  @Test
  void p2Downgrading() {
    writing.lock();
    words.write(0);
    reading.lock();
    writing.unlock();
    assertInSection(true);
    words.in("reader", () -> locked(reading, 1));
    words.in("none", () -> assertThat(writing.tryLock()).isFalse());
    words.assertKept();
    words.write(2);
    reading.unlock();
    assertInSection(false);
    words.assertKept(0, 1, 2);
  }

  /// A writer who stops reading lets nobody in.
  @Test
  void holds3AReadersUnlockUnderTheWriteLockIsNoRelease() {
    writing.lock();
    reading.lock();
    words.write(0);
    reading.unlock();
    words.in(
        "other",
        () -> {
          HappensBefore.acquired(reading);
          HappensBefore.acquired(writing);
          locked(words.locks.b(), 1);
        });
    words.assertKept(1);
    writing.unlock();
    words.assertKept(0, 1);
  }

  /// In the other order, and reentrant: each hold is a level.
  @Test
  void lock2HoldsOfBoth() {
    writing.lock();
    writing.lock();
    reading.lock();
    reading.lock();
    words.write(0);
    writing.unlock();
    reading.unlock();
    assertInSection(true);
    writing.unlock();
    assertInSection(true);
    assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(writing::unlock);
    words.assertKept();
    reading.unlock();
    assertInSection(false);
    words.assertKept(0);
    writing.lock();
    words.write(1);
    assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(reading::unlock);
    assertInSection(true);
    words.assertKept(0);
    writing.unlock();
    words.assertKept(0, 1);
  }

  /// A writer that was kept waiting finds what the readers left open at the end.
  @Test
  void holds1AWriterThatWaitedForReaders() throws InterruptedException {
    outer.lock();
    reading.lock();
    Thread writer = Thread.ofVirtual().start(() -> locked(writing, 1));
    awaitBlocked(writer);
    words.write(0);
    reading.unlock();
    writer.join();
    words.assertKept();
    outer.unlock();
    words.assertKept(0, 1);
  }

  /// A writer whose wait nobody has ended by a signal comes after readers too.
  @Test
  void p2AWriterThatWaitedWhileOthersRead() throws InterruptedException {
    CountDownLatch locked = new CountDownLatch(1);
    Thread writer =
        Thread.ofPlatform()
            .start(
                () -> {
                  writing.lock();
                  locked.countDown();
                  assertThatExceptionOfType(InterruptedException.class)
                      .isThrownBy(writing.newCondition()::await);
                  words.write(1);
                  writing.unlock();
                });
    locked.await();
    outer.lock();
    locked(reading, 0); // when the writer waits
    writer.interrupt();
    writer.join();
    words.assertKept();
    outer.unlock();
    words.assertKept(0, 1);
  }

  @Test
  void aReaderCantBecomeAWriter() {
    reading.lock();
    assertThat(writing.tryLock()).isFalse();
    words.write(0);
    words.assertKept();
    reading.unlock();
    words.assertKept(0);
  }

  @Test
  void theReadLockHasNoConditions() {
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(reading::newCondition);
    assertInSection(false);
  }

  @Test
  void saysHowManyHoldIt() {
    reading.lock();
    assertThat(both.toString())
        .startsWith("io.holdfast.DurableReadWriteLock@")
        .endsWith("[Write locks = 0, Read locks = 1]");
    assertThat(reading.toString())
        .startsWith("io.holdfast.DurableReadWriteLock$ReadLock@")
        .endsWith("[Read locks = 1]");
    assertThat(writing.toString()).endsWith("[Unlocked]");
    reading.unlock();
  }
}
