package io.holdfast.core.redo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.core.RegionAccessException;
import io.holdfast.core.disk.Blocks;
import io.holdfast.core.disk.Disk;
import io.holdfast.core.disk.DiskFile;
import io.holdfast.core.fixture.FaultyDisk;
import io.holdfast.core.fixture.RecordedDisk;
import io.holdfast.core.memory.CopyPace;
import io.holdfast.core.memory.MappedMemory;
import io.holdfast.core.memory.RegionCopy;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.persistence.LoggedDisk;
import io.holdfast.core.persistence.PageCache;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedoLogTest {
  private static final Path PATH = Path.of("/r.hf.log");
  private static final int RING = 8 << 20;

  @TempDir Path directory;

  /// A region's file that takes what it is given, slowly if it is to.
  private static class Pages implements Checkpoint.Target {
    final List<Long> written = Collections.synchronizedList(new ArrayList<>());
    volatile CountDownLatch mayForce = new CountDownLatch(0);

    @Override
    public void copy(long page, ByteBuffer into) {
      into.put(new byte[RegionLayout.PAGE_BYTES]);
    }

    @Override
    public void write(long page, ByteBuffer from) {
      for (int i = 0; i < from.remaining() / RegionLayout.PAGE_BYTES; i++) {
        written.add(page + i);
      }
      from.position(from.limit());
    }

    @Override
    public void mustReach(Mark mark) {}

    @Override
    public long renew(RedoLog log, NamedPages unwritten) {
      return 0;
    }

    @Override
    public void force() {
      boolean isOpen = false;
      while (!isOpen) {
        try {
          mayForce.await();
          isOpen = true;
        } catch (InterruptedException e) {
          // nobody means this thread
        }
      }
    }
  }

  private static RedoLog over(Disk disk, Pages pages) {
    return over(disk, pages, RedoStreamsTest.live());
  }

  private static RedoLog over(Disk disk, Pages pages, MemorySegment live) {
    return new RedoLog(
        BatchLog.create(disk, PATH, 7, RING),
        live,
        "r.hf",
        new BitSet(),
        pages,
        Integer.MAX_VALUE,
        new LoggedDisk(PATH));
  }

  private static void store(RedoLog log, long offset, long value) {
    log.streams().landed(log.streams().word(offset, RedoRecord.WORD, value));
  }

  /// 16 MiB, in 100 pages.
  private static void storeMuch(RedoLog log) {
    byte[] page = new byte[RegionLayout.PAGE_BYTES];
    for (int i = 0; i < 4_000; i++) {
      long place = log.streams().bytes((long) i % 100 * page.length, page, 0, page.length);
      log.streams().landed(place);
      log.await();
    }
  }

  /// ACK-1: a thread that waits is there until the write with its store has returned, and what was
  /// stored while that was under way is in the next one.
  @Test
  void ack1NobodyReturnsBeforeTheWrite() throws InterruptedException {
    RecordedDisk disk = new RecordedDisk();
    RedoLog log = over(disk, new Pages());
    AtomicInteger writes = new AtomicInteger();
    AtomicReference<Thread> second = new AtomicReference<>();
    disk.observe(
        _ -> {
          if (writes.incrementAndGet() == 1) {
            store(log, 8, 2);
            Thread waiting = Thread.ofPlatform().start(log::await);
            second.set(waiting);
            while (waiting.getState() != Thread.State.TIMED_WAITING) {
              Thread.onSpinWait();
            }
          }
        });
    store(log, 0, 1);
    log.await();
    second.get().join();
    assertThat(writes).hasValue(2);
    log.await();
    assertThat(writes).as("there is nothing to write").hasValue(2);
    disk.observe(null);
    log.close();
  }

  /// STREAM-1: a kill finds what is being written.
  @Test
  void stream1WhatIsBeingWrittenIsInItsStream() {
    RecordedDisk disk = new RecordedDisk();
    MemorySegment live = RedoStreamsTest.live();
    RedoLog log = over(disk, new Pages(), live);
    List<Long> seen = new ArrayList<>();
    disk.observe(
        _ -> {
          seen.add(live.get(ValueLayout.JAVA_LONG, LiveFile.HEADER_BYTES + 8L));
          seen.add(live.get(ValueLayout.JAVA_LONG, LiveFile.done(0)));
        });
    store(log, 0, 42);
    log.await();
    assertThat(seen).containsExactly(42L, 0L);
    assertThat(live.get(ValueLayout.JAVA_LONG, LiveFile.HEADER_BYTES + 8L)).isZero();
    assertThat(live.get(ValueLayout.JAVA_LONG, LiveFile.done(0))).isEqualTo(1);
    disk.observe(null);
    log.close();
  }

  /// ACK-3.
  @Test
  void ack3VirtualThreadsDoNotLead() throws InterruptedException {
    RecordedDisk disk = new RecordedDisk();
    RedoLog log = over(disk, new Pages());
    Set<String> writers = ConcurrentHashMap.newKeySet();
    disk.observe(_ -> writers.add(Thread.currentThread().getName()));
    List<Thread> threads =
        IntStream.range(0, 20)
            .mapToObj(
                i ->
                    Thread.ofVirtual()
                        .start(
                            () -> {
                              for (int n = 0; n < 50; n++) {
                                store(log, i * 4096L, n);
                                log.await();
                              }
                            }))
            .toList();
    for (Thread each : threads) {
      each.join();
    }
    assertThat(writers).containsExactly("holdfast-log-r.hf");
    disk.observe(null);
    log.close();
  }

  /// ACK-4: bursts, behind the last write of which nobody comes who could wake those that sleep.
  @Test
  void ack4WhoIsServedIsWoken() throws Exception {
    RedoLog log =
        new RedoLog(
            BatchLog.create(Disk.local(), directory.resolve("r.hf.log"), 7, RING),
            RedoStreamsTest.live(),
            "r.hf",
            new BitSet(),
            new Pages(),
            Integer.MAX_VALUE,
            new LoggedDisk(PATH));
    for (int burst = 0; burst < 40; burst++) {
      long end = System.nanoTime() + 50_000_000;
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 64; i++) {
        long offset = i * 4096L;
        threads.add(
            Thread.ofPlatform()
                .daemon()
                .start(
                    () -> {
                      while (System.nanoTime() < end) {
                        store(log, offset, 1);
                        log.await();
                      }
                    }));
      }
      for (Thread each : threads) {
        assertThat(each.join(Duration.ofSeconds(60))).as("burst %d has ended", burst).isTrue();
      }
    }
    log.close();
  }

  /// STREAM-2: threads that fill a stream up, and have tickets that have no room yet.
  @Test
  void stream2WhoHasATicketDoesNotLead() throws InterruptedException {
    RedoLog log = over(new RecordedDisk(), new Pages());
    byte[] page = new byte[RegionLayout.PAGE_BYTES];
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      threads.add(
          Thread.ofPlatform()
              .daemon()
              .start(
                  () -> {
                    for (int n = 0; n < 3_000; n++) {
                      log.streams().landed(log.streams().bytes(0, page, 0, page.length));
                    }
                  }));
    }
    for (Thread each : threads) {
      assertThat(each.join(Duration.ofSeconds(60))).as("has come to its end").isTrue();
    }
    log.close();
  }

  /// STALL-1: a checkpoint that can't end holds those who wait, not itself; and when it ends, they
  /// go on.
  @Test
  void stall1AFullLogWaitsForTheCheckpoint() throws InterruptedException {
    RecordedDisk disk = new RecordedDisk();
    Pages pages = new Pages();
    pages.mayForce = new CountDownLatch(1);
    RedoLog log = over(disk, pages);
    Thread storing = Thread.ofPlatform().start(() -> storeMuch(log));
    while (storing.getState() != Thread.State.WAITING
            && storing.getState() != Thread.State.TIMED_WAITING
        || log.log().bytesInUse() < RING / 2) {
      Thread.onSpinWait();
    }
    assertThat(log.log().bytesInUse()).isGreaterThan(RING / 2);
    pages.mayForce.countDown();
    storing.join();
    assertThat(pages.written).contains(0L, 99L);
    log.close();
  }

  /// STALL-1: a checkpoint leaves the device to the log only as long as anybody can use it.
  @Test
  void stall1ACheckpointDoesNotNapWhereAllWaitForIt() {
    RedoLog log = over(new RecordedDisk(), new Pages());
    assertThat(log.isStalledSoon()).isFalse();
    while (!log.isStalled()) {
      log.log().payload().position(Blocks.BYTES);
      log.log().append(1, true);
    }
    assertThat(log.isStalledSoon()).isTrue();
    log.close();
  }

  /// STALL-1: the log is full while a copy keeps the checkpoint waiting, and the copy waits for its
  /// own last pages to be durable.
  @Test
  void stall1ACopyDoesNotWaitForTheCheckpoint() throws Exception {
    RedoLog log = over(new RecordedDisk(), new Pages());
    Thread storing = Thread.ofPlatform().unstarted(() -> storeMuch(log));
    AtomicInteger chunks = new AtomicInteger();
    Runnable behindEachChunk =
        () -> {
          switch (chunks.incrementAndGet()) {
            case 1, 2 -> store(log, 0, 1); // so there is another round
            case 3 -> {
              storing.start();
              while (!log.isStalled()) {
                Thread.onSpinWait();
              }
            }
            default -> {}
          }
        };
    Path file = Files.write(directory.resolve("r.hf"), new byte[100 * RegionLayout.PAGE_BYTES]);
    MappedMemory image = new MappedMemory(file, Files.size(file), new PageCache());
    Path to = Files.createFile(directory.resolve("copy"));
    CopyPace pace = new CopyPace(Long.MAX_VALUE, behindEachChunk);
    new LoggedCopy(image, image::length, log, pace, new AtomicBoolean()).to(to);
    image.close();
    assertThat(chunks).hasValueGreaterThanOrEqualTo(3);
    storing.join();
    log.close();
  }

  /// A batch that names pages which were trimmed before their turn came.
  @Test
  void aCopyEndsWithItsRegion() throws Exception {
    RedoLog log = over(new RecordedDisk(), new Pages());
    AtomicInteger chunks = new AtomicInteger();
    Runnable behindEachChunk =
        () -> {
          if (chunks.incrementAndGet() == 1) {
            store(log, 0, 1);
            store(log, 50 * RegionLayout.PAGE_BYTES, 1);
          }
        };
    Path file = Files.write(directory.resolve("r.hf"), new byte[100 * RegionLayout.PAGE_BYTES]);
    MappedMemory image = new MappedMemory(file, Files.size(file), new PageCache());
    image.shrink(10 * RegionLayout.PAGE_BYTES);
    Path to = Files.createFile(directory.resolve("copy"));
    CopyPace pace = new CopyPace(Long.MAX_VALUE, behindEachChunk);
    RegionCopy.Report report =
        new LoggedCopy(image, () -> 100 * RegionLayout.PAGE_BYTES, log, pace, new AtomicBoolean())
            .to(to);
    image.close();
    log.close();
    assertThat(report.copied()).isEqualTo(11 * RegionLayout.PAGE_BYTES);
    assertThat(to).hasSize(10 * RegionLayout.PAGE_BYTES);
  }

  /// CHECK-4: a thread that was kept from its processor between its record and its store. The
  /// record is durable, and its page is copied for the file when the store is made, not before.
  @Test
  void check4WhatIsLoggedAndNotYetStoredIsWaitedFor() throws InterruptedException {
    AtomicBoolean isStored = new AtomicBoolean();
    List<Boolean> copied = Collections.synchronizedList(new ArrayList<>());
    Pages pages =
        new Pages() {
          @Override
          public void copy(long page, ByteBuffer into) {
            copied.add(isStored.get());
            super.copy(page, into);
          }
        };
    RedoLog log = over(new RecordedDisk(), pages);
    long late = log.streams().word(0, RedoRecord.WORD, 1);
    store(log, 8, 2);
    log.await();
    Thread checkpoint = Thread.ofPlatform().start(log::checkpoint);
    checkpoint.join(100); // without CHECK-4 it ends
    for (int i = 0; i < 10; i++) {
      store(log, 16, i);
      log.await(); // which waits for nothing of it
    }
    isStored.set(true);
    log.streams().landed(late);
    checkpoint.join();
    assertThat(copied).containsExactly(true);
    log.close();
  }

  /// WAL-1, CHECK-3: a store that a copy has seen is in the log before the copy is in the file, and
  /// START is behind neither before the file is synced.
  @Test
  void wal1WhatIsCopiedIsInTheLogFirst() {
    RecordedDisk disk = new RecordedDisk();
    RedoLog[] log = new RedoLog[1];
    List<Long> inLog = new ArrayList<>();
    Pages pages =
        new Pages() {
          @Override
          public void copy(long page, ByteBuffer into) {
            store(log[0], 8, 42); // somebody is faster than the copy
            super.copy(page, into);
          }

          @Override
          public void write(long page, ByteBuffer from) {
            inLog.addAll(words(disk.copy()));
            super.write(page, from);
          }

          @Override
          public void force() {
            assertThat(log[0].log().bytesInUse()).isPositive();
            assertThat(words(disk.copy())).contains(1L);
            super.force();
          }
        };
    log[0] = over(disk, pages);
    store(log[0], 0, 1);
    log[0].checkpoint();
    assertThat(inLog).contains(1L, 42L);
    assertThat(words(disk.copy())).as("from START on").containsExactly(42L);
    log[0].close();
  }

  /// What a log has, from START on.
  private static List<Long> words(RecordedDisk disk) {
    List<Long> words = new ArrayList<>();
    try (BatchLog log = BatchLog.open(disk, PATH)) {
      log.look(
          (_, _, batch) -> {
            while (batch.hasRemaining()) {
              batch.getLong();
              words.add(batch.getLong());
            }
          });
    }
    return words;
  }

  /// A failure is told to who waits and to who comes later, and nothing is written again.
  @Test
  void aFailedWriteIsFinal() {
    FaultyDisk disk = new FaultyDisk(new RecordedDisk());
    RedoLog log = over(disk, new Pages());
    store(log, 0, 1);
    log.await();
    disk.fail(disk.calls().size() + 1, FaultyDisk.Fault.FAILED);
    store(log, 0, 2);
    List<Runnable> later = List.of(log::await, () -> log.streams().word(0, RedoRecord.WORD, 3));
    for (Runnable each : later) {
      assertThatExceptionOfType(RegionAccessException.class)
          .isThrownBy(each::run)
          .withMessageContaining("not known what of it is durable");
    }
    int calls = disk.calls().size();
    assertThat(log.failure()).isNotNull();
    log.close();
    assertThat(disk.calls()).hasSize(calls);
  }

  /// A page that a file has is written once for each time that a batch names it.
  @Test
  void aCheckpointWritesWhatBatchesName() throws Exception {
    RecordedDisk disk = new RecordedDisk();
    Pages pages = new Pages();
    RedoLog log = over(disk, pages);
    for (long page : new long[] {7, 3, 4, 900}) {
      store(log, page * RegionLayout.PAGE_BYTES, 1);
    }
    log.checkpoint();
    assertThat(pages.written).containsExactly(3L, 4L, 7L, 900L);
    assertThat(log.log().bytesInUse()).isZero();
    log.checkpoint();
    assertThat(pages.written).hasSize(4);
    try (DiskFile file = disk.open(PATH)) {
      assertThat(file.length()).isEqualTo(RING + 8192L);
    }
    log.close();
  }
}
