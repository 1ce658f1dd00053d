package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.holdfast.collections.PersistentHashMap;
import io.holdfast.core.Durability;
import io.holdfast.core.PersistenceCounts;
import io.holdfast.core.RegionAccessException;
import io.holdfast.core.StoreClosedException;
import io.holdfast.core.disk.Disk;
import io.holdfast.core.fixture.FaultyDisk;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.redo.Disks;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// When what a thread did is safe, and what is so when an operation returns.
@Timeout(120)
class ReceiptTest {
  private static final Holdfast.Options ON_DISK =
      Holdfast.Options.defaults().durability(Durability.POWER_FAILURE);
  private static final Holdfast.Options RELAXED = ON_DISK.acknowledge(Durability.PROCESS_CRASH);

  @TempDir Path directory;

  private Path path() {
    return directory.resolve("s.hf");
  }

  /// What a loss of power leaves now at the least.
  private Map<Long, Long> afterACut() throws Exception {
    Path copy = Files.createTempDirectory(directory, "cut").resolve("s.hf");
    Files.copy(directory.resolve("s.hf.log"), copy.resolveSibling("s.hf.log"));
    Files.copy(path(), copy);
    try (Holdfast store = Holdfast.open(copy, ON_DISK)) {
      return Map.copyOf(store.hashMap("map", Long.class, Long.class));
    }
  }

  @Test
  void whatIsAcknowledgedIsSafeAtOnce() {
    for (Durability each : Durability.values()) {
      Path path = directory.resolve(each + ".hf");
      try (Holdfast store = Holdfast.open(path, Holdfast.Options.defaults().durability(each))) {
        store.hashMap("map", Long.class, Long.class).put(1L, 1L);
        Receipt receipt = store.receipt();
        assertThat(receipt.isSafe()).isTrue();
        receipt.await();
        CountDownLatch ran = new CountDownLatch(1);
        receipt.onSafe(ran::countDown);
        assertThat(ran.getCount()).isZero();
      }
    }
  }

  @Test
  void aReceiptTellsWhenItIsSafe() throws Exception {
    try (Holdfast store = Holdfast.open(path(), RELAXED)) {
      Map<Long, Long> map = store.hashMap("map", Long.class, Long.class);
      for (long i = 0; i < 100; i++) {
        map.put(i, -i);
        Receipt receipt = store.receipt();
        CompletableFuture<Void> future = receipt.toFuture();
        future.complete(null); // the caller's own copy
        receipt.await();
        assertThat(receipt.isSafe()).isTrue();
        if (i % 10 == 0) {
          assertThat(afterACut()).containsEntry(i, -i);
        }
      }
      map.put(1L, 1L);
      CountDownLatch ran = new CountDownLatch(2);
      store.receipt().onSafe(ran::countDown);
      store.receipt().toFuture().thenRun(ran::countDown);
      ran.await();
      assertThat(afterACut()).containsEntry(1L, 1L);
      map.put(2L, 2L);
      store.sync();
      assertThat(afterACut()).containsEntry(2L, 2L);
    }
  }

  /// Nobody waits for the device, and it gets all the same, some time later.
  @Test
  void whatNobodyWaitsForIsWrittenSoon() throws Exception {
    try (Holdfast store = Holdfast.open(path(), RELAXED)) {
      Map<Long, Long> map = store.hashMap("map", Long.class, Long.class);
      for (long round = 1; round <= 3; round++) {
        store.sync();
        PersistenceCounts before = store.persistence();
        for (long i = 0; i < 1_000; i++) {
          map.put(i, round);
        }
        assertThat(store.persistence().since(before).fences()).as("of 1,000").isLessThan(500);
        while (!afterACut().equals(map)) {
          TimeUnit.MILLISECONDS.sleep(20);
        }
      }
    }
  }

  /// P6′: what a loss of power leaves is what was there at one moment.
  @Test
  void p6RelaxedALossOfPowerTakesASuffix() throws Exception {
    try (Holdfast store = Holdfast.open(path(), RELAXED)) {
      Map<Long, Long> map = store.hashMap("map", Long.class, Long.class);
      for (long i = 0; i < 20_000; i++) {
        map.put(i % 1_000, i);
        if (i % 2_000 == 1_999) {
          Map<Long, Long> left = afterACut();
          long last = left.values().stream().mapToLong(each -> each).max().orElse(-1);
          for (long key = 0; key < Math.min(1_000, last + 1); key++) {
            assertThat(left).containsEntry(key, last - (last - key) % 1_000);
          }
        }
      }
    }
  }

  @Test
  void relaxedBlocksChooseForThemselves() throws Exception {
    try (Holdfast store = Holdfast.open(path(), ON_DISK)) {
      Map<Long, Long> map = store.hashMap("map", Long.class, Long.class);
      PersistenceCounts before = store.persistence();
      for (long i = 0; i < 1_000; i++) {
        long value = i;
        store.relaxed(() -> map.put(1L, value));
      }
      assertThat(store.persistence().since(before).fences()).isLessThan(500);
      store.receipt().await();
      assertThat(afterACut()).isEqualTo(Map.of(1L, 999L));
      store.relaxed(() -> map.put(1L, -1L));
      while (afterACut().get(1L) != -1) { // with nobody waiting
        TimeUnit.MILLISECONDS.sleep(20);
      }
    }
  }

  /// RECEIPT-1: of what waits for a section of another thread.
  @Test
  void receipt1AStoreThatEndsTellsThemAll() throws Exception {
    Holdfast store = Holdfast.open(path());
    PersistentHashMap<Long, Long> map = store.hashMap("map", Long.class, Long.class);
    DurableLock lock = new DurableLock();
    CountDownLatch hasStored = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    Thread other =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    store.relaxed(
                        () -> {
                          lock.lock();
                          map.put(1L, 1L);
                          lock.unlock();
                          hasStored.countDown();
                          await(mayEnd);
                        });
                  } catch (StoreClosedException e) {
                    // it was closed under it
                  }
                });
    await(hasStored);
    lock.lock();
    map.put(1L, map.get(1L) + 1);
    lock.unlock();
    Receipt receipt = store.receipt();
    assertThat(receipt.isSafe()).isFalse();
    store.close();
    assertThatExceptionOfType(StoreClosedException.class).isThrownBy(receipt::await);
    assertThat(receipt.isSafe()).isFalse();
    mayEnd.countDown();
    other.join();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /// RECEIPT-1, FAIL-1.
  @Test
  void receipt1ADeviceThatFailsTellsThemAll() throws Exception {
    Holdfast.open(path()).close();
    FaultyDisk disk = new FaultyDisk(Disk.local());
    RegionFile file =
        RegionFile.openOn(path(), Disks.logged(disk, 4 << 20, Durability.PROCESS_CRASH));
    Holdfast store = Holdfast.over(file.memory());
    Map<Long, Long> map = store.hashMap("map", Long.class, Long.class);
    store.sync();
    disk.fail(disk.calls().size() + 1, FaultyDisk.Fault.FAILED);
    map.put(1L, 1L);
    Receipt receipt = store.receipt();
    assertThatExceptionOfType(RegionAccessException.class)
        .isThrownBy(receipt::await)
        .withMessageContaining("not known what of it is durable");
    assertThat(receipt.isSafe()).isFalse();
    assertThatExceptionOfType(RegionAccessException.class).isThrownBy(() -> map.put(2L, 2L));
    try (file) {
      store.close();
    }
  }

  @Test
  void whatCanNotBeIsRefused() {
    try (Holdfast store = Holdfast.open(path())) {
      assertThatIllegalStateException()
          .isThrownBy(() -> store.atomically(store::receipt))
          .withMessageContaining("receipt inside of a section");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                Holdfast.open(
                    path(), Holdfast.Options.defaults().acknowledge(Durability.POWER_FAILURE)))
        .withMessageContaining("durability=PROCESS_CRASH");
  }
}
