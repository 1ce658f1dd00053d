package io.holdfast.core.persistence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.holdfast.core.PersistenceCounts;
import io.holdfast.core.RegionAccessException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeviceTest {
  @TempDir Path directory;

  private ForcedFile file() throws IOException {
    return new ForcedFile(Files.write(directory.resolve("file"), new byte[4096]));
  }

  /// Four threads wait, one sync is under way: the next one serves all of them.
  @Test
  void oneSyncServesAllWhoWait() throws Exception {
    ForcedFile file = file();
    AtomicInteger syncs = new AtomicInteger();
    CountDownLatch firstIsUnderWay = new CountDownLatch(1);
    CountDownLatch othersWait = new CountDownLatch(1);
    Device device =
        new Device(
            () -> {
              if (syncs.incrementAndGet() == 1) {
                firstIsUnderWay.countDown();
                awaitUninterruptibly(othersWait);
              }
              file.sync();
            });
    FutureTask<Void> leader = new FutureTask<>(device::fence, null);
    Thread.ofPlatform().daemon().start(leader);
    firstIsUnderWay.await();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      threads.add(Thread.ofPlatform().daemon().start(device::fence));
    }
    threads.forEach(DeviceTest::awaitWait);
    othersWait.countDown();
    leader.get();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(syncs).hasValue(2);
    assertThat(device.counts().fences()).isEqualTo(5);
  }

  private static void awaitWait(Thread thread) {
    while (thread.getState() != Thread.State.WAITING) {
      assertThat(thread.isAlive()).isTrue();
      Thread.onSpinWait();
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /// GROUP-1: what was written before a fence is synced by a sync that began after it.
  @Test
  void aFenceWaitsForASyncThatBeganBehindIt() throws Exception {
    AtomicLong written = new AtomicLong();
    AtomicLong durable = new AtomicLong();
    Device device =
        new Device(
            () -> {
              long now = written.get();
              Thread.yield();
              durable.set(now);
            });
    AtomicInteger early = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int fence = 0; fence < 5_000; fence++) {
                      long mine = written.incrementAndGet();
                      device.fence();
                      if (durable.get() < mine) {
                        early.incrementAndGet();
                      }
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(early).hasValue(0);
  }

  /// GROUP-2, FACTS 4: the device fails once and works again; the data it failed to write are gone.
  @Test
  void aFailureIsFinal() {
    AtomicInteger syncs = new AtomicInteger();
    Device device =
        new Device(
            () -> {
              if (syncs.incrementAndGet() == 2) {
                throw new IOException("Input/output error");
              }
            });
    device.fence();
    for (int i = 0; i < 3; i++) {
      assertThatExceptionOfType(RegionAccessException.class)
          .isThrownBy(device::fence)
          .withMessageContaining("Input/output error")
          .withMessageContaining("open it again");
    }
    assertThat(syncs).hasValue(2);
    assertThat(device.counts().fences()).isEqualTo(1);
  }

  /// GROUP-2: whatever ends a sync early, who waited for it is not told that it served them.
  @Test
  void anErrorIsAFailureToo() throws Exception {
    CountDownLatch underWay = new CountDownLatch(1);
    CountDownLatch mayFail = new CountDownLatch(1);
    AtomicInteger syncs = new AtomicInteger();
    Device device =
        new Device(
            () -> {
              if (syncs.incrementAndGet() == 1) {
                underWay.countDown();
                awaitUninterruptibly(mayFail);
                throw new OutOfMemoryError("made up");
              }
            });
    AtomicInteger refused = new AtomicInteger();
    Runnable fence =
        () -> {
          try {
            device.fence();
          } catch (RegionAccessException e) {
            assertThat(e).hasMessageContaining("made up");
            refused.incrementAndGet();
          }
        };
    Thread leader = Thread.ofPlatform().start(fence);
    underWay.await();
    Thread follower = Thread.ofPlatform().start(fence);
    awaitWait(follower);
    mayFail.countDown();
    leader.join();
    follower.join();
    fence.run();
    assertThat(refused).hasValue(3);
    assertThat(syncs).hasValue(1);
    assertThat(device.counts()).isEqualTo(PersistenceCounts.NONE);
  }

  /// P8: the failure names the file.
  @Test
  void aFailureNamesTheFile() throws IOException {
    Path full = Path.of("/dev/full"); // a device that can't be synced
    assumeThat(full).exists();
    Device device = Device.of(full);
    assertThatExceptionOfType(RegionAccessException.class)
        .isThrownBy(device::fence)
        .withMessageStartingWith("/dev/full: ");
  }

  @Test
  void anInterruptDoesNotEndASync() throws IOException {
    Device device = new Device(file());
    Thread.currentThread().interrupt();
    device.fence();
    assertThat(Thread.interrupted()).isTrue();
    device.fence();
    assertThat(device.counts().fences()).isEqualTo(2);
  }
}
