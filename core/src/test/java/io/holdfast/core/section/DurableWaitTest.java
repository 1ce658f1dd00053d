package io.holdfast.core.section;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.holdfast.core.HoldfastException;
import io.holdfast.core.NotYetDurableException;
import io.holdfast.core.StoreClosedException;
import io.holdfast.core.fixture.QuietRecoveries;
import io.holdfast.core.fixture.Words;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.RecordingMemory;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Threads that wait until what they did is durable, and how such waits end.
@ExtendWith(QuietRecoveries.class)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // no interrupt ends a wait
class DurableWaitTest {
  /// Much longer than it takes to find a circle.
  private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(20);

  private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
  private static final List<Object> LOCKS = SectionSteps.locks(4);

  private final Region region = Words.open(new RecordingMemory());
  private final CountDownLatch ends = new CountDownLatch(1);

  @BeforeEach
  void create() {
    Words.create(region, 8);
  }

  @AfterEach
  void close() {
    ends.countDown();
    region.close();
  }

  /// What a thread does in the middle of its section.
  private interface Middle {
    void run() throws Exception;
  }

  /// A thread that stores a word, releases that openly, does something, and ends its section.
  private static final class Blocker {
    private final Object outer = Stripes.apartFrom(LOCKS);
    final CountDownLatch isOpen = new CountDownLatch(1);
    final FutureTask<Void> task;
    final Thread thread;

    Blocker(Thread.Builder builder, Region region, Object inner, int word, Middle middle) {
      task =
          new FutureTask<>(
              () -> {
                SectionHooks.acquired(outer);
                try {
                  SectionHooks.acquired(inner);
                  Words.write(region, word, 1);
                  SectionHooks.releasing(inner);
                  isOpen.countDown();
                  middle.run();
                } finally {
                  SectionHooks.releasing(outer);
                }
                return null;
              });
      thread = builder.start(task);
    }

    /// Waits until it has released openly.
    Blocker open() throws InterruptedException {
      isOpen.await();
      return this;
    }
  }

  private Blocker blocker(Middle middle) throws InterruptedException {
    return blocker(0, middle);
  }

  private Blocker blocker(int number, Middle middle) throws InterruptedException {
    return new Blocker(Thread.ofPlatform(), region, LOCKS.get(number), number, middle).open();
  }

  /// Ends a section that depends on a blocker's.
  private void dependOn(int number) {
    store(number, number + 4);
  }

  /// A section of one lock.
  private void store(int number, int word) {
    SectionHooks.acquired(LOCKS.get(number));
    Words.write(region, word, 1);
    SectionHooks.releasing(LOCKS.get(number));
  }

  private NotYetDurableException given(long limitNanos) {
    return catchThrowableOfType(
        NotYetDurableException.class, () -> region.sections().awaitDurable("block", limitNanos));
  }

  /// What ends a wait that would close a circle, before its time is up.
  private NotYetDurableException givenUp() {
    NotYetDurableException found = given(LONG_NANOS);
    assertThat(found == null || found.getMessage().contains("for a lock of this thread")).isTrue();
    return found;
  }

  private void awaitWaiting(Thread thread) {
    while (thread.getState() == Thread.State.RUNNABLE || thread.getState() == Thread.State.NEW) {
      Thread.onSpinWait();
    }
  }

  @Test
  void whatDependsOnNothingReturnsAtOnce() throws Exception {
    Blocker blocker = blocker(ends::await);
    store(1, 1);
    region.sections().awaitDurable("block");
    assertThat(region.sections().waiting()).isNull();
    ends.countDown();
    blocker.task.get();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void itWaitsForTheSectionsEnd(boolean isVirtual) throws Exception {
    Blocker blocker = blocker(ends::await);
    FutureTask<Void> task =
        new FutureTask<>(
            () -> {
              dependOn(0);
              region.sections().awaitDurable("block");
              assertThat(ends.getCount()).isZero();
              return null;
            });
    Thread waiting = (isVirtual ? Thread.ofVirtual() : Thread.ofPlatform()).start(task);
    awaitWaiting(waiting);
    assertThat(task).isNotDone();
    ends.countDown();
    task.get();
    blocker.task.get();
    assertThat(region.sections().waiting()).isNull();
  }

  /// Inside of an outer section nothing can be durable.
  @Test
  void insideOfASectionItDoesNotWait() throws Exception {
    Blocker blocker = blocker(ends::await);
    SectionHooks.enter();
    dependOn(0);
    region.sections().awaitDurable("block");
    SectionHooks.exit();
    ends.countDown();
    blocker.task.get();
  }

  @Test
  void wait1ACircleOverAMonitor() throws Exception {
    Object monitor = new Object();
    Blocker blocker;
    synchronized (monitor) {
      blocker = blocker(() -> lock(monitor));
      dependOn(0);
      NotYetDurableException found = givenUp();
      assertThat(found.waitedFor()).isEqualTo(blocker.thread);
      assertThat(found)
          .hasMessageStartingWith(region.memory().name() + ": block: what this thread did")
          .hasMessageContaining("for a lock of this thread")
          .hasMessageContaining("call sync()")
          .hasMessageContaining(blocker.thread.getName())
          .hasMessageContaining("at " + DurableWaitTest.class.getName());
    }
    region.sections().sync();
    blocker.task.get();
  }

  private static void lock(Object monitor) {
    synchronized (monitor) {
      assertThat(monitor).isNotNull();
    }
  }

  @Test
  void wait1ACircleOverALockOverAnotherThread() throws Exception {
    ReentrantLock lock = new ReentrantLock();
    Object monitor = new Object();
    CountDownLatch hasMonitor = new CountDownLatch(1);
    lock.lock();
    Thread between =
        Thread.ofPlatform()
            .start(
                () -> {
                  synchronized (monitor) {
                    hasMonitor.countDown();
                    lock.lock();
                    lock.unlock();
                  }
                });
    hasMonitor.await();
    Blocker blocker = blocker(() -> lock(monitor));
    dependOn(0);
    assertThat(givenUp().waitedFor()).isEqualTo(blocker.thread);
    assertThatThrownBy(region.sections()::sync).isInstanceOf(NotYetDurableException.class);
    lock.unlock();
    region.sections().sync();
    between.join();
  }

  /// Each of two waits for a section whose thread is blocked by the other one.
  @Test
  void wait1ACircleOverTwoWaits() throws Exception {
    Object mine = new Object();
    Object others = new Object();
    CountDownLatch hasOthers = new CountDownLatch(1);
    synchronized (mine) {
      FutureTask<NotYetDurableException> other =
          new FutureTask<>(
              () -> {
                synchronized (others) {
                  hasOthers.countDown();
                  Blocker ofOther = blocker(1, () -> lock(mine));
                  dependOn(1);
                  NotYetDurableException found = givenUp();
                  assertThat(found == null || found.waitedFor().equals(ofOther.thread)).isTrue();
                  return found;
                }
              });
      Thread.ofPlatform().start(other);
      hasOthers.await();
      blocker(0, () -> lock(others));
      dependOn(0);
      NotYetDurableException found = givenUp();
      // One of them must give up; then the other's wait may end.
      assertThat(found != null || other.get() != null).isTrue();
    }
    region.sections().sync();
  }

  /// What takes a lock for some time only gives up by itself.
  @Test
  void wait1AWaitWithATimeIsNoCircle() throws Exception {
    ReentrantLock lock = new ReentrantLock();
    lock.lock();
    Blocker blocker = blocker(() -> assertThat(lock.tryLock(1, TimeUnit.SECONDS)).isFalse());
    dependOn(0);
    region.sections().awaitDurable("block");
    lock.unlock();
    blocker.task.get();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void wait2AThreadThatOnlyWaits(boolean isVirtual) throws Exception {
    Thread.Builder builder = isVirtual ? Thread.ofVirtual() : Thread.ofPlatform();
    Blocker blocker = new Blocker(builder, region, LOCKS.get(0), 0, ends::await).open();
    dependOn(0);
    long start = System.nanoTime();
    NotYetDurableException found = given(SHORT_NANOS);
    assertThat(System.nanoTime() - start).isGreaterThan(SHORT_NANOS);
    assertThat(found.waitedFor()).isEqualTo(blocker.thread);
    assertThat(found).hasMessageContaining("for something that can't be seen, for 300 ms by now");
    ends.countDown();
    region.sections().sync();
    blocker.task.get();
  }

  @Test
  void wait2AThreadThatSleepsOnlyWaits() throws Exception {
    Blocker blocker = blocker(() -> Thread.sleep(60_000)); // as long as the test may take
    dependOn(0);
    assertThat(given(SHORT_NANOS).waitedFor()).isEqualTo(blocker.thread);
    blocker.thread.interrupt();
    region.sections().sync();
  }

  @Test
  void wait2AThreadThatWorksIsWaitedFor() throws Exception {
    Blocker blocker = blocker(() -> work(5 * SHORT_NANOS));
    dependOn(0);
    assertThat(given(SHORT_NANOS)).isNull();
    assertThat(region.sections().waiting()).isNull();
    blocker.task.get();
  }

  /// The blocker waits for a thread that works.
  @Test
  void wait2TheEndOfTheChainCounts() throws Exception {
    Object monitor = new Object();
    CountDownLatch hasMonitor = new CountDownLatch(1);
    Thread.ofPlatform()
        .start(
            () -> {
              synchronized (monitor) {
                hasMonitor.countDown();
                work(5 * SHORT_NANOS);
              }
            });
    hasMonitor.await();
    blocker(() -> lock(monitor));
    dependOn(0);
    assertThat(given(SHORT_NANOS)).isNull();
  }

  /// A wait for it has a time, after which it goes on.
  @Test
  void wait2TheOwnerOfACollectionsLockCounts() throws Exception {
    SectionLock lock = new SectionLock(region.sections(), new Object());
    CountDownLatch hasLock = new CountDownLatch(1);
    Thread.ofPlatform()
        .start(
            () -> {
              lock.take();
              hasLock.countDown();
              work(TimeUnit.SECONDS.toNanos(4));
              lock.unlock();
            });
    hasLock.await();
    Blocker blocker =
        blocker(
            () -> {
              lock.take();
              lock.unlock();
            });
    dependOn(0);
    assertThat(given(TimeUnit.MILLISECONDS.toNanos(2_500))).isNull();
    blocker.task.get();
  }

  /// Thousands of threads that wait would have it do nothing but look.
  @Test
  void whatOthersBecomeDurableByWakesNobody() throws Exception {
    Blocker blocker = blocker(ends::await);
    Thread waits =
        Thread.ofPlatform()
            .start(
                () -> {
                  dependOn(0);
                  region.sections().awaitDurable("block");
                });
    awaitWait(waits);
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long before = threads.getThreadInfo(waits.threadId()).getWaitedCount();
    for (int i = 0; i < 100; i++) {
      CountDownLatch end = new CountDownLatch(1);
      Blocker other = blocker(1, end::await);
      store(1, 5);
      end.countDown();
      other.task.get();
      region.sections().awaitDurable("block");
      awaitWait(waits);
    }
    long looks = threads.getThreadInfo(waits.threadId()).getWaitedCount() - before;
    assertThat(looks).isLessThan(90); // those of WAIT-1, one a second at last
    ends.countDown();
    blocker.task.get();
    waits.join();
  }

  private static void awaitWait(Thread thread) {
    while (thread.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
  }

  private static void work(long nanos) {
    long end = System.nanoTime() + nanos;
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }
  }

  @Test
  void anInterruptDoesNotEndIt() throws Exception {
    Blocker blocker = blocker(ends::await);
    FutureTask<Boolean> task =
        new FutureTask<>(
            () -> {
              dependOn(0);
              region.sections().awaitDurable("block");
              return Thread.currentThread().isInterrupted();
            });
    Thread waiting = Thread.ofPlatform().start(task);
    awaitWaiting(waiting);
    waiting.interrupt();
    Thread.sleep(50);
    assertThat(task).isNotDone();
    ends.countDown();
    assertThat(task.get()).isTrue();
    blocker.task.get();
  }

  @Test
  void aThreadThatDiedInItsSection() throws Exception {
    Thread died =
        Thread.ofPlatform()
            .start(
                () -> {
                  SectionHooks.acquired(new Object());
                  store(0, 0);
                });
    died.join();
    dependOn(0);
    assertThatThrownBy(() -> region.sections().awaitDurable("block"))
        .isExactlyInstanceOf(HoldfastException.class)
        .hasMessageContaining("died in the middle of a section");
  }

  /// What waits when the region is closed is undone, whenever that is found out.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRegionThatIsClosed(boolean isClosedBefore) throws Exception {
    blocker(ends::await);
    CountDownLatch ended = new CountDownLatch(1);
    CountDownLatch mayWait = new CountDownLatch(isClosedBefore ? 1 : 0);
    FutureTask<Void> task =
        new FutureTask<>(
            () -> {
              dependOn(0);
              ended.countDown();
              mayWait.await();
              region.sections().awaitDurable("block");
              return null;
            });
    Thread waiting = Thread.ofPlatform().start(task);
    ended.await();
    if (!isClosedBefore) {
      awaitWaiting(waiting);
    }
    region.close();
    mayWait.countDown();
    assertThatThrownBy(task::get).hasCauseInstanceOf(StoreClosedException.class);
  }
}
