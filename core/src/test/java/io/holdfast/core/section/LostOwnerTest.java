package io.holdfast.core.section;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.core.HoldfastException;
import io.holdfast.core.fixture.Words;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.RecordingMemory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Locks whose owner has left the operation that took them.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LostOwnerTest {
  private final Region region = Words.open(new RecordingMemory());
  private final SectionLock lock = new SectionLock(region.sections(), this);

  /// The owner lives, and waits for its next task in the JDK's code.
  @Test
  void lock6AnOwnerThatIsGoneLatchesTheRegion() throws Exception {
    try (ExecutorService owner = Executors.newSingleThreadExecutor()) {
      owner.submit(() -> lock.lock()).get();
      assertThatThrownBy(lock::lock)
          .isInstanceOf(HoldfastException.class)
          .hasMessageContainingAll(
              "recorded: the store failed", "giving a lock back", "open it again");
    }
    assertThat(SectionHooks.inSection()).isFalse();
  }

  @Test
  void lock6AnOwnerInAnOperationIsWaitedFor() throws Exception {
    CountDownLatch held = new CountDownLatch(1);
    Thread owner =
        Thread.ofPlatform()
            .start(
                () -> {
                  Section section = lock.lock();
                  held.countDown();
                  awaitAWaiter(); // a frame of this package, as an operation's
                  lock.endSection(section);
                  lock.unlock();
                });
    held.await();
    Section section = lock.lock();
    lock.endSection(section);
    lock.unlock();
    owner.join();
    assertThat(region.sections().region().state.isOver()).isFalse();
    region.close();
  }

  @Test
  void lock6OfManyWhoWaitOneLooks() throws Exception {
    AtomicInteger looks = new AtomicInteger();
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch ends = new CountDownLatch(1);
    Thread owner =
        new Thread(
            () -> {
              lock.take();
              held.countDown();
              while (ends.getCount() > 0) { // a frame of this package, as an operation's
                LockSupport.parkNanos(1_000_000);
              }
              lock.unlock();
            }) {
          @Override
          public StackTraceElement[] getStackTrace() {
            looks.incrementAndGet();
            return super.getStackTrace();
          }
        };
    long begun = System.nanoTime();
    owner.start();
    held.await();
    try (ExecutorService waiters = Executors.newFixedThreadPool(20)) {
      for (int i = 0; i < 20; i++) {
        waiters.execute(lock::awaitFree);
      }
      while (looks.get() < 3 || System.nanoTime() - begun < 3_000_000_000L) {
        LockSupport.parkNanos(1_000_000);
      }
      ends.countDown();
    }
    double seconds = (System.nanoTime() - begun) / 1e9;
    assertThat(looks.get() / seconds).as("a second, of 20 threads").isLessThan(5);
    owner.join();
    region.close();
  }

  /// Longer than a waiting thread waits before it looks at the owner.
  private void awaitAWaiter() {
    long begun = System.nanoTime();
    while (!lock.waiting().hasQueuedThreads() || System.nanoTime() - begun < 1_500_000_000) {
      Thread.onSpinWait();
    }
  }
}
