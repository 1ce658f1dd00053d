package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.core.fixture.Words;
import io.holdfast.core.region.Region;
import io.holdfast.testkit.Bounds;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.CrashPoint;
import io.holdfast.testkit.CrashTest;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/// Crashes, at every store, in sections that real locks delimit.
class DurableLockCrashTest {
  private final LockedWords.Locks locks = LockedWords.Locks.distinct();
  private final Lock a = locks.a();
  private final Lock b = locks.b();
  private final Lock c = locks.c();
  private final Lock reading = locks.both().readLock();
  private final Lock writing = locks.both().writeLock();

  private static CrashExplorer<Region> prepared(CrashExplorer<Region> explorer) {
    return explorer
        .given(region -> Words.create(region, 8))
        .withoutModel()
        .bounds(new Bounds(8, 12, 12, 100))
        .state(region -> Words.read(region, 0, 8));
  }

  private static void write(Region region, int... indexes) {
    for (int index : indexes) {
      Words.write(region, index, 1);
    }
  }

  private static void locked(Region region, Lock lock, int... indexes) {
    lock.lock();
    write(region, indexes);
    lock.unlock();
  }

  private static void assertImplies(Region region, int durable, int... alsoDurable) {
    if (Words.read(region, durable) != 0) {
      assertThat(Arrays.stream(alsoDurable).mapToLong(index -> Words.read(region, index)))
          .as("words without which word %d must not be", durable)
          .doesNotContain(0L);
    }
  }

  private static void assertAllAtEnd(Region region, CrashPoint point, int steps, int words) {
    if (point.acknowledged() == steps) {
      assertThat(Words.read(region, 0, words)).doesNotContain(0L);
    }
  }

  /// Two readers release openly; a writer depends on both, and a reader after it on the writer.
  @CrashTest
  void p2ReadersThenAWriter(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .step(
            "R1",
            "R1 stores 0, releases openly",
            region -> {
              a.lock();
              locked(region, reading, 0);
            })
        .step(
            "R2",
            "R2 stores 1, releases openly",
            region -> {
              b.lock();
              locked(region, reading, 1);
            })
        .step("R3", "R3 stores 2, after no writer", region -> locked(region, reading, 2))
        .step("W", "W stores 3 and 4", region -> locked(region, writing, 3, 4))
        .step("R3", "R3 stores 5, after a writer", region -> locked(region, reading, 5))
        .step(
            "R1",
            "R1 stores 6, ends",
            region -> {
              write(region, 6);
              a.unlock();
            })
        .step("R2", "R2 ends", region -> b.unlock())
        .check(
            (region, point) -> {
              assertImplies(region, 0, 6);
              assertImplies(region, 6, 0);
              assertImplies(region, 3, 0, 1, 4);
              assertImplies(region, 4, 3);
              assertImplies(region, 5, 3);
              if (point.acknowledged() >= 3) {
                assertThat(Words.read(region, 2)).as("readers are independent").isNotZero();
              }
              if (point.acknowledged() >= 6) {
                assertThat(Words.read(region, 0)).as("R1 depends on nobody").isNotZero();
              }
              assertAllAtEnd(region, point, 7, 7);
            });
  }

  /// A goes from writing to reading; readers see what it wrote before it has ended.
  @CrashTest
  void p2Downgrading(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .step(
            "A",
            "A stores 0, goes on reading",
            region -> {
              writing.lock();
              write(region, 0);
              reading.lock();
              writing.unlock();
            })
        .step("R", "R stores 1", region -> locked(region, reading, 1))
        .step(
            "A",
            "A stores 2, ends",
            region -> {
              write(region, 2);
              reading.unlock();
            })
        .check(
            (region, point) -> {
              assertImplies(region, 0, 2);
              assertImplies(region, 2, 0);
              assertImplies(region, 1, 0); // R may become durable some stores after A
              assertAllAtEnd(region, point, 3, 3);
            });
  }

  @CrashTest
  void p1AWaitAlone(CrashExplorer<Region> explorer) {
    waitAlone(explorer, a, 1);
  }

  @CrashTest
  void p1AWaitAloneOfAWriter(CrashExplorer<Region> explorer) {
    waitAlone(explorer, writing, 2);
  }

  /// Both threads in one step, for a turn of one that waits never ends: they hand over by the lock.
  private static void waitAlone(CrashExplorer<Region> explorer, Lock lock, int holds) {
    prepared(explorer)
        .step(
            "A waits, B stores 2 and 3",
            region -> {
              Condition condition = lock.newCondition();
              CountDownLatch isLocked = new CountDownLatch(1);
              FutureTask<Void> waiting =
                  new FutureTask<>(
                      () -> {
                        for (int i = 0; i < holds; i++) {
                          lock.lock();
                        }
                        isLocked.countDown();
                        write(region, 0, 1);
                        condition.await();
                        write(region, 4, 5);
                        for (int i = 0; i < holds; i++) {
                          lock.unlock();
                        }
                        return null;
                      });
              Thread.ofPlatform().start(waiting);
              isLocked.await();
              lock.lock();
              write(region, 2, 3);
              condition.signal();
              lock.unlock();
              waiting.get();
            })
        .check(
            (region, point) -> {
              assertThat(Words.read(region, 0, 6))
                  .isIn(
                      List.of(0L, 0L, 0L, 0L, 0L, 0L),
                      List.of(1L, 1L, 0L, 0L, 0L, 0L),
                      List.of(1L, 1L, 1L, 1L, 0L, 0L),
                      List.of(1L, 1L, 1L, 1L, 1L, 1L));
              assertAllAtEnd(region, point, 1, 6);
            });
  }

  /// A waits inside of b; what B does meanwhile, inside of c, and A depend on each other.
  @CrashTest
  void p2AWaitNested(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .step(
            "A waits in b, B stores 1 in c, A ends",
            region -> {
              Condition condition = a.newCondition();
              CountDownLatch isLocked = new CountDownLatch(1);
              FutureTask<Void> waiting =
                  new FutureTask<>(
                      () -> {
                        b.lock();
                        a.lock();
                        isLocked.countDown();
                        write(region, 0);
                        condition.await();
                        write(region, 2);
                        a.unlock();
                        b.unlock();
                        return null;
                      });
              Thread.ofPlatform().start(waiting);
              isLocked.await();
              c.lock();
              a.lock();
              write(region, 1);
              condition.signal();
              a.unlock();
              waiting.get();
            })
        .step(
            "B stores 3, ends",
            region -> {
              write(region, 3);
              c.unlock();
            })
        .check(
            (region, point) -> {
              assertThat(Words.read(region, 0, 4))
                  .isIn(List.of(0L, 0L, 0L, 0L), List.of(1L, 1L, 1L, 1L));
              assertAllAtEnd(region, point, 2, 4);
            });
  }

  /// B, which has the lock while A waits, ends long before A, whose section goes on.
  @CrashTest
  void p2AWaitNestedWhoHadTheLockMeanwhile(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .step(
            "A waits in b, B stores 1, A goes on",
            region -> {
              b.lock();
              a.lock();
              write(region, 0);
              Condition condition = a.newCondition();
              Thread other =
                  Thread.ofPlatform()
                      .start(
                          () -> {
                            a.lock(); // when A waits
                            write(region, 1);
                            condition.signal();
                            a.unlock();
                          });
              condition.await();
              write(region, 2);
              a.unlock();
              other.join();
            })
        .step(
            "A stores 3, ends",
            region -> {
              write(region, 3);
              b.unlock();
            })
        .check(
            (region, point) -> {
              assertThat(Words.read(region, 0, 4))
                  .isIn(List.of(0L, 0L, 0L, 0L), List.of(1L, 1L, 1L, 1L));
              assertAllAtEnd(region, point, 2, 4);
            });
  }

  /// A writer gives the lock up in a wait; a reader comes in, and its section is still open when
  /// the writer's next one ends.
  @CrashTest
  void p2AWriterThatWaitedWhileOthersRead(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .step(
            "W waits, R stores 1 and 2, W ends",
            region -> {
              CountDownLatch isLocked = new CountDownLatch(1);
              FutureTask<Void> waiting =
                  new FutureTask<>(
                      () -> {
                        writing.lock();
                        isLocked.countDown();
                        write(region, 0);
                        assertThatExceptionOfType(InterruptedException.class)
                            .isThrownBy(writing.newCondition()::await);
                        write(region, 3);
                        writing.unlock();
                        return null;
                      });
              Thread writer = Thread.ofPlatform().start(waiting);
              isLocked.await();
              a.lock();
              locked(region, reading, 1);
              write(region, 2);
              writer.interrupt();
              waiting.get();
            })
        .step("R ends", region -> a.unlock())
        .check(
            (region, point) -> {
              assertImplies(region, 1, 0, 2);
              assertImplies(region, 2, 1);
              assertImplies(region, 3, 1);
              assertAllAtEnd(region, point, 2, 4);
            });
  }
}
