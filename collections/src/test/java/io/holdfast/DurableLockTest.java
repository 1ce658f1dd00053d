package io.holdfast;

import static io.holdfast.LockedWords.assertInSection;
import static io.holdfast.LockedWords.awaitBlocked;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.holdfast.core.RecoveryReport.Outcome;
import io.holdfast.core.fixture.Words;
import io.holdfast.core.region.Region;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What sections the shapes of locking make, and what a crash would leave of them.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DurableLockTest {
  private final LockedWords words = new LockedWords();
  private final DurableLock a = words.locks.a();
  private final DurableLock b = words.locks.b();
  private final DurableLock c = words.locks.c();

  @AfterEach
  void close() {
    words.close();
  }

  @Test
  void p1ASectionIsUndoneUntilTheLockIsReleased() {
    for (Lock lock : words.locks.all()) {
      int index = words.locks.all().indexOf(lock);
      Integer[] before = upTo(index);
      lock.lock();
      assertInSection(true);
      words.write(index);
      words.assertKept(before);
      lock.unlock();
      assertInSection(false);
      words.assertKept(upTo(index + 1));
    }
  }

  private static Integer[] upTo(int count) {
    List<Integer> indexes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      indexes.add(i);
    }
    return indexes.toArray(Integer[]::new);
  }

  @Test
  void p1Nested() {
    a.lock();
    words.write(0);
    b.lock();
    words.write(1);
    b.unlock();
    words.write(2);
    words.assertKept();
    a.unlock();
    words.assertKept(0, 1, 2);
  }

  @Test
  void p2Overlapping() {
    a.lock();
    words.write(0);
    b.lock();
    a.unlock();
    words.write(1);
    words.in("other", () -> locked(a, 2));
    words.assertKept();
    words.in("third", () -> locked(c, 3)); // has nothing to do with it
    words.assertKept(3);
    b.unlock();
    words.assertKept(0, 1, 2, 3);
  }

  private void locked(Lock lock, int index) {
    lock.lock();
    words.write(index);
    lock.unlock();
  }

  @Test
  void p2HandOverHand() {
    List<Lock> hands = List.of(a, b, c, words.locks.both().writeLock());
    hands.getFirst().lock();
    for (int i = 0; i < hands.size(); i++) {
      words.write(i);
      if (i + 1 < hands.size()) {
        hands.get(i + 1).lock();
        hands.get(i).unlock();
        int follower = 4 + i;
        Lock left = hands.get(i);
        words.in("follower" + i, () -> locked(left, follower));
      }
      assertInSection(true);
      words.assertKept();
    }
    hands.getLast().unlock();
    words.assertKept(0, 1, 2, 3, 4, 5, 6);
  }

  @Test
  void p1Reentrant() {
    for (Lock lock : words.locks.all()) {
      int index = words.locks.all().indexOf(lock);
      lock.lock();
      lock.lock();
      assertThat(lock.tryLock()).isTrue();
      words.write(index);
      lock.unlock();
      lock.unlock();
      assertInSection(true);
      words.assertKept(upTo(index));
      lock.unlock();
      assertInSection(false);
      words.assertKept(upTo(index + 1));
    }
  }

  /// Else whoever asks what was released through the lock would find the section.
  ///
  /// Shows HOLDS-3.
  @Test
  void holds3AnInnerUnlockIsNoRelease() {
    int index = 0;
    for (Lock lock : words.locks.all()) {
      int other = index++;
      lock.lock();
      words.write(7);
      lock.lock();
      lock.unlock();
      words.in(
          "other" + other,
          () -> {
            HappensBefore.acquired(lock);
            locked(new DurableLock(), other);
          });
      words.assertKept(upTo(index));
      Words.write(words.region, 7, 0);
      lock.unlock();
    }
  }

  /// What runs when the section has become durable finds the lock still held.
  ///
  /// Shows HOLDS-1.
  @Test
  void holds1TheEndPrecedesTheRelease() {
    for (Lock lock : words.locks.all()) {
      AtomicReference<String> atTheEnd = new AtomicReference<>();
      lock.lock();
      words.region.sections().current().whenDurable(() -> atTheEnd.set(lock.toString()));
      lock.unlock();
      assertThat(atTheEnd.get())
          .containsAnyOf("[Locked by thread " + Thread.currentThread().getName(), "locks = 1]");
    }
  }

  /// The same for a wait.
  @Test
  void holds1TheEndPrecedesTheWait() throws InterruptedException {
    for (Lock lock : words.locks.exclusive().toList()) {
      AtomicReference<String> atTheEnd = new AtomicReference<>();
      lock.lock();
      words.region.sections().current().whenDurable(() -> atTheEnd.set(lock.toString()));
      assertThat(lock.newCondition().awaitNanos(1)).isNotPositive();
      assertThat(atTheEnd.get()).contains("[Locked by thread " + Thread.currentThread().getName());
      lock.unlock();
    }
  }

  /// Who asks for the lock while it is held finds what is released with it.
  @Test
  void holds1TheAcquireFollowsTheLock() throws InterruptedException {
    a.lock();
    b.lock();
    words.write(0);
    Thread other = Thread.ofPlatform().start(() -> locked(b, 1));
    awaitBlocked(other);
    b.unlock();
    other.join();
    words.assertKept();
    a.unlock();
    words.assertKept(0, 1);
  }

  @Test
  void anExceptionEndsTheSectionAndUndoesNothing() {
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(
            () -> {
              a.lock();
              try {
                words.write(0);
                throw new IllegalStateException("by the caller's code");
              } finally {
                a.unlock();
              }
            });
    words.assertKept(0);
  }

  @Test
  void p1TakenByOneMethodAndReleasedByAnother() {
    begin();
    words.write(1);
    words.assertKept();
    finish();
    words.assertKept(0, 1);
  }

  private void begin() {
    a.lock();
    words.write(0);
  }

  private void finish() {
    a.unlock();
  }

  @Test
  void lock2AnUnlockByAnotherThreadIsRefused() {
    for (Lock lock : words.locks.all()) {
      lock.lock();
      words.in(
          "other",
          () -> {
            assertUnlockRefused(lock);
            assertInSection(false);
            Lock own = new DurableLock();
            own.lock();
            assertUnlockRefused(lock);
            assertInSection(true);
            own.unlock();
          });
      assertInSection(true);
      words.write(0);
      lock.unlock();
      assertUnlockRefused(lock);
      assertInSection(false);
    }
    words.assertKept(0);
  }

  private static void assertUnlockRefused(Lock lock) {
    assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
  }

  @Test
  void lock2ATryThatFailsChangesNothing() {
    for (Lock lock : List.of(a, b, words.locks.both().writeLock())) {
      lock.lock();
      words.in(
          "other",
          () -> {
            assertThat(lock.tryLock()).isFalse();
            assertThat(lock.tryLock(1, TimeUnit.MILLISECONDS)).isFalse();
            assertInSection(false);
            c.lock();
            words.write(0);
            assertThat(lock.tryLock()).isFalse();
            assertThat(lock.tryLock(1, TimeUnit.MILLISECONDS)).isFalse();
            assertInSection(true);
            words.assertKept();
            c.unlock();
            words.assertKept(0);
            c.lock();
            Words.write(words.region, 0, 0);
            c.unlock();
          });
      lock.unlock();
    }
  }

  @Test
  void p1ATryThatSucceedsBeginsASection() throws InterruptedException {
    int index = 0;
    for (Lock lock : words.locks.all()) {
      assertThat(index % 2 == 0 ? lock.tryLock() : lock.tryLock(1, TimeUnit.MINUTES)).isTrue();
      assertInSection(true);
      words.write(index);
      words.assertKept(upTo(index));
      lock.unlock();
      words.assertKept(upTo(++index));
    }
  }

  @Test
  void lock2AnInterruptedAcquireChangesNothing() throws InterruptedException {
    for (Lock lock : words.locks.all()) {
      for (boolean nested : new boolean[] {false, true}) {
        DurableLock outer = new DurableLock();
        if (nested) {
          outer.lock();
        }
        interrupted(lock::lockInterruptibly);
        interrupted(() -> lock.tryLock(1, TimeUnit.MINUTES));
        assertInSection(nested);
        assertUnlockRefused(lock);
        if (nested) {
          outer.unlock();
        }
      }
      lock.lockInterruptibly();
      assertInSection(true);
      lock.unlock();
    }
    assertThatNullPointerException().isThrownBy(() -> a.tryLock(1, null));
    assertInSection(false);
  }

  private interface Interruptible {
    void run() throws InterruptedException;
  }

  private static void interrupted(Interruptible action) {
    Thread.currentThread().interrupt();
    assertThatExceptionOfType(InterruptedException.class).isThrownBy(action::run);
  }

  /// Interrupted while it waits in the queue for the lock, inside of a section.
  @Test
  void lock2AnInterruptWhileWaitingForTheLock() throws Exception {
    a.lock();
    CountDownLatch asked = new CountDownLatch(1);
    FutureTask<Void> task =
        new FutureTask<>(
            () -> {
              b.lock();
              words.write(0);
              assertThatExceptionOfType(InterruptedException.class)
                  .isThrownBy(a::lockInterruptibly);
              assertInSection(true);
              asked.countDown();
              b.unlock();
              assertInSection(false);
              return null;
            });
    Thread other = Thread.ofPlatform().start(task);
    awaitBlocked(other);
    words.assertKept();
    other.interrupt();
    task.get();
    assertThat(asked.getCount()).isZero();
    words.assertKept(0);
    a.unlock();
  }

  /// The section of a thread that dies never ends; what depends on it is undone.
  @Test
  void aThreadThatDiesHoldingTheLock() {
    Thread dies =
        Thread.ofPlatform()
            .start(
                () -> {
                  a.lock();
                  b.lock();
                  words.write(0);
                  b.unlock();
                });
    join(dies);
    words.in("dependent", () -> locked(b, 1));
    locked(c, 2);
    assertThat(a.tryLock()).isFalse();
    words.assertKept(2);
    words.region.close();
    try (Region again = Words.open(words.memory)) {
      assertThat(again.report().outcome()).isEqualTo(Outcome.RECOVERED);
      assertThat(Words.read(again, 0, 4)).containsExactly(0L, 0L, 1L, 0L);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void nestsInOtherSections() {
    Words.atomically(
        () -> {
          locked(a, 0);
          words.in("other", () -> locked(a, 1));
          words.assertKept();
        });
    words.assertKept(0, 1);
    a.lock();
    Words.atomically(() -> words.write(2));
    words.assertKept(0, 1);
    a.unlock();
    words.assertKept(0, 1, 2);
  }

  @Test
  void saysWhoHoldsIt() {
    assertThat(a.toString()).startsWith("io.holdfast.DurableLock@").endsWith("[Unlocked]");
    Thread.currentThread().setName("main [1]");
    a.lock();
    assertThat(a).asString().endsWith("[Locked by thread main [1]]");
    a.unlock();
  }
}
