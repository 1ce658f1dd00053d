package io.holdfast.core.redo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.core.RegionAccessException;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.RegionFormatException;
import io.holdfast.core.disk.Blocks;
import io.holdfast.core.disk.Disk;
import io.holdfast.core.disk.DiskFile;
import io.holdfast.core.fixture.FaultyDisk;
import io.holdfast.core.fixture.RecordedDisk;
import io.holdfast.core.redo.ToldLog.Told;
import io.holdfast.testkit.ForwardingDisk.Change;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Shows LOG-W1 to LOG-W3, and BATCH-W1.
class BatchLogTest {
  private static final int RING = 8 * Blocks.BYTES;

  @TempDir Path directory;

  private Path path() {
    return directory.resolve("region.log");
  }

  private static List<String> replay(BatchLog log) {
    List<String> found = new ArrayList<>();
    long count =
        log.replay(
            (epoch, isComplete, payload) -> {
              byte[] bytes = new byte[payload.remaining()];
              payload.get(bytes);
              found.add(epoch + (isComplete ? "!" : "") + new String(bytes));
            });
    assertThat(count).isEqualTo(found.size());
    return found;
  }

  private static void append(BatchLog log, long epoch, boolean isComplete, String payload) {
    log.payload().put(payload.getBytes());
    log.append(epoch, isComplete);
  }

  @Test
  void batchesAreFoundInAFile() {
    Disk disk = Disk.local();
    try (BatchLog log = BatchLog.create(disk, path(), 3, RING)) {
      append(log, 5, false, "a");
      append(log, 5, true, "b".repeat(9000));
      append(log, 6, true, "");
      assertThat(log.bytesInUse()).isEqualTo(5 * Blocks.BYTES);
    }
    try (BatchLog log = BatchLog.open(disk, path())) {
      assertThat(log.identity()).isEqualTo(3);
      assertThat(log.ringBytes()).isEqualTo(RING);
      assertThat(replay(log)).containsExactly("5a", "5!" + "b".repeat(9000), "6!");
      assertThat(log.bytesInUse()).isEqualTo(5 * Blocks.BYTES);
      Mark mark = log.mark();
      append(log, 7, true, "c");
      log.moveStart(mark);
      assertThat(log.grow(2 * RING)).isTrue();
      append(log, 8, true, "d".repeat(20000));
      assertThat(log.bytesInUse()).isEqualTo(6 * Blocks.BYTES);
    }
    try (BatchLog log = BatchLog.open(disk, path())) {
      assertThat(log.ringBytes()).isEqualTo(2 * RING);
      assertThat(replay(log)).containsExactly("7!c", "8!" + "d".repeat(20000));
    }
  }

  /// An append is one call to the disk, which LocalDiskTest shows to be one to the system.
  @Test
  void anAppendIsOneCall() {
    FaultyDisk disk = new FaultyDisk(Disk.local());
    try (BatchLog log = BatchLog.create(disk, path(), 3, 4 << 20)) {
      for (int length : new int[] {0, 100, 64 << 10, 1 << 20}) {
        disk.calls().clear();
        append(log, 1, true, "x".repeat(length));
        assertThat(disk.calls()).containsExactly(Change.WRITE_DURABLY);
      }
      assertThat(log.payload().capacity()).isEqualTo(1 << 20);
      assertThat(log.hasRoomFor((1 << 20) + 1)).isFalse();
    }
    try (BatchLog log = BatchLog.open(disk, path())) {
      assertThat(replay(log)).hasSize(4).last().asString().hasSize(2 + (1 << 20));
    }
  }

  @Test
  void anInterruptLosesNothing() {
    Disk disk = Disk.local();
    try (BatchLog log = BatchLog.create(disk, path(), 3, RING)) {
      Thread.currentThread().interrupt();
      append(log, 1, true, "a");
      log.moveStart(log.mark());
      append(log, 2, true, "b");
      assertThat(Thread.interrupted()).isTrue();
    }
    Thread.currentThread().interrupt();
    try (BatchLog log = BatchLog.open(disk, path())) {
      assertThat(replay(log)).containsExactly("2!b");
    }
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void whatIsNoLogIsRefused() throws IOException {
    Disk disk = Disk.local();
    assertThatExceptionOfType(RegionAccessException.class)
        .isThrownBy(() -> BatchLog.open(disk, path()))
        .withMessageContaining("cannot open the redo log");
    for (int length : new int[] {0, 100, 3 * Blocks.BYTES}) {
      Files.write(path(), new byte[length]);
      assertThatExceptionOfType(RegionFormatException.class)
          .isThrownBy(() -> BatchLog.open(disk, path()))
          .withMessageContaining("not a redo log");
    }
    assertThatExceptionOfType(RegionAccessException.class)
        .isThrownBy(() -> BatchLog.create(disk, path(), 3, RING));
    assertThat(path()).hasSize(3 * Blocks.BYTES);
  }

  @Test
  void aDamagedHeaderIsRefusedOrReplaced() {
    RecordedDisk disk = new RecordedDisk();
    ToldLog log = ToldLog.create(disk, RING);
    log.append(100);
    log.moveStart(log.log().mark());
    log.append(200);
    Told told = log.told();
    byte[] bytes = disk.bytes(ToldLog.PATH);
    // The newer copy is damaged: the older one has the older START.
    disk.plant(ToldLog.PATH, 20, new byte[] {1, 2, 3});
    ToldLog.open(disk, new Told(2, 2, 1, 1, told.batches()), 1);
    disk.plant(ToldLog.PATH, Blocks.BYTES + 20, new byte[] {1, 2, 3});
    assertThatExceptionOfType(RegionDamagedException.class)
        .isThrownBy(() -> BatchLog.open(disk, ToldLog.PATH))
        .withMessageContaining("both copies");
    RecordedDisk cut = new RecordedDisk();
    ToldLog.create(cut, RING / 2);
    cut.plant(ToldLog.PATH, 0, Arrays.copyOf(bytes, LogHeader.RING));
    assertThatExceptionOfType(RegionDamagedException.class)
        .isThrownBy(() -> BatchLog.open(cut, ToldLog.PATH))
        .withMessageContaining("cut off");
  }

  /// The copies of the header are of two logs.
  @Test
  void headersOfTwoLogsAreRefused() {
    RecordedDisk disk = new RecordedDisk();
    ToldLog log = ToldLog.create(disk, RING);
    RecordedDisk other = new RecordedDisk();
    ToldLog.create(other, RING);
    log.append(1);
    log.moveStart(log.log().mark());
    disk.plant(
        ToldLog.PATH,
        Blocks.BYTES,
        Arrays.copyOfRange(other.bytes(ToldLog.PATH), Blocks.BYTES, LogHeader.RING));
    assertThatExceptionOfType(RegionDamagedException.class)
        .isThrownBy(() -> BatchLog.open(disk, ToldLog.PATH))
        .withMessageContaining("contradict");
  }

  /// LOG-W3: the salt alone tells it.
  @Test
  void aFormerLifesBatchIsNotTaken() {
    RecordedDisk former = new RecordedDisk();
    ToldLog.create(former, RING).append(100);
    RecordedDisk disk = new RecordedDisk();
    ToldLog log = ToldLog.create(disk, RING);
    disk.plant(ToldLog.PATH, LogHeader.RING, ring(former));
    ToldLog.open(disk, log.told(), 1);
  }

  private static byte[] ring(RecordedDisk disk) {
    byte[] bytes = disk.bytes(ToldLog.PATH);
    return Arrays.copyOfRange(bytes, LogHeader.RING, bytes.length);
  }

  /// LOG-W3: its number tells it, and the checksum of the batch before; either would do.
  @Test
  void aFormerLapsBatchIsNotTaken() {
    RecordedDisk disk = new RecordedDisk();
    ToldLog log = ToldLog.create(disk, RING);
    for (int i = 0; i < 8; i++) {
      log.append(100);
    }
    log.moveStart(log.log().mark());
    for (int i = 0; i < 5; i++) {
      log.append(200); // where the first lap's five were; its sixth comes next
      ToldLog.open(disk.copy(), log.told(), i);
    }
    for (int i = 0; i < 3; i++) {
      log.append(100);
    }
    ToldLog.open(disk, log.told(), 9);
  }

  /// LOG-W3: a copy of the log went its own way, and its second batch is found behind our first.
  @Test
  void aBatchOfAnotherChainIsRefused() {
    RecordedDisk disk = new RecordedDisk();
    ToldLog log = ToldLog.create(disk, RING);
    Told empty = log.told();
    RecordedDisk other = disk.copy();
    ToldLog copy = ToldLog.open(other, empty, 2);
    copy.append(100);
    copy.append(100);
    log.append(100);
    disk.plant(
        ToldLog.PATH,
        LogHeader.RING + Blocks.BYTES,
        Arrays.copyOfRange(ring(other), Blocks.BYTES, 2 * Blocks.BYTES));
    assertThatExceptionOfType(RegionDamagedException.class)
        .isThrownBy(() -> ToldLog.open(disk, log.told(), 1));
  }

  /// LOG-W1: each batch but the last one, by each byte that says something.
  @Test
  void aDecayedBatchBeforeAValidOneIsRefused() {
    RecordedDisk disk = new RecordedDisk();
    ToldLog log = ToldLog.create(disk, RING);
    for (int length : new int[] {100, 9000, 100, 5000}) {
      log.append(length); // blocks 0, 1 to 3, 4, 5 to 6
    }
    byte[] good = disk.bytes(ToldLog.PATH);
    for (int block = 0; block < 7; block++) {
      for (int at = 0; at < Blocks.BYTES; at += at < 70 ? 1 : 1001) {
        int position = LogHeader.RING + block * Blocks.BYTES + at;
        RecordedDisk decayed = disk.copy();
        decayed.plant(ToldLog.PATH, position, new byte[] {(byte) ~good[position]});
        if (block < 5) {
          assertThatExceptionOfType(RegionDamagedException.class)
              .isThrownBy(() -> BatchLog.open(decayed, ToldLog.PATH).replay((e, c, p) -> {}))
              .withMessageContaining("of the redo log is damaged")
              .withMessageContaining("restore");
        } else {
          Told told = log.told();
          ToldLog.open(decayed, new Told(3, 3, 1, 1, told.batches()), 1).append(100);
        }
      }
    }
  }

  /// What was passed on is not looked through for later batches.
  @Test
  void aFullLogIsReadOnce() {
    RecordedDisk disk = new RecordedDisk();
    ToldLog log = ToldLog.create(disk, 8 << 20);
    while (log.appendIfRoom(Batch.MAX_PAYLOAD)) {
      // until it is full
    }
    long[] bytes = {0};
    Disk counting =
        forwarding(
            Disk.class,
            disk,
            (_, _, file) ->
                file instanceof DiskFile opened
                    ? forwarding(
                        DiskFile.class,
                        opened,
                        (name, arguments, result) -> {
                          bytes[0] +=
                              name.equals("read") ? ((ByteBuffer) arguments[1]).position() : 0;
                          return result;
                        })
                    : file);
    try (BatchLog opened = BatchLog.open(counting, ToldLog.PATH)) {
      assertThat(opened.replay((_, _, _) -> {})).isEqualTo(7);
    }
    assertThat(bytes[0]).isLessThan(disk.bytes(ToldLog.PATH).length + 5L * Batch.MAX_BYTES);
  }

  private interface After {
    Object call(String name, Object[] arguments, Object result);
  }

  private static <T> T forwarding(Class<T> type, T to, After after) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) ->
                after.call(method.getName(), arguments, method.invoke(to, arguments))));
  }

  /// LOG-W1: the header that tells of a growth has decayed, and the one before it ends the ring too
  /// early. Batches behind that are durable all the same.
  @Test
  void batchesBehindTheEndOfAnOlderHeaderAreNotLost() {
    RecordedDisk disk = new RecordedDisk();
    ToldLog log = ToldLog.create(disk, RING);
    log.append(RING - 64);
    assertThat(log.log().grow(2 * RING)).isTrue();
    log.append(100);
    ToldLog.open(disk.copy(), log.told(), 1);
    disk.plant(ToldLog.PATH, 20, new byte[] {1, 2, 3}); // sequence 2 is in block 0
    assertThatExceptionOfType(RegionDamagedException.class)
        .isThrownBy(() -> ToldLog.open(disk, log.told(), 1))
        .withMessageContaining("batch 2 of the redo log is damaged");
  }

  /// Nothing of a longer payload before is in a batch.
  @Test
  void behindAPayloadThereAreZeros() {
    RecordedDisk disk = new RecordedDisk();
    ToldLog log = ToldLog.create(disk, RING);
    log.append(9000);
    log.append(5000);
    int end = LogHeader.RING + 3 * Blocks.BYTES + Batch.HEADER_BYTES + 5000;
    assertThat(Arrays.copyOfRange(disk.bytes(ToldLog.PATH), end, LogHeader.RING + 5 * Blocks.BYTES))
        .containsOnly(0);
  }

  /// LOG-W2.
  @Test
  void aFullRingHasNoRoom() {
    RecordedDisk disk = new RecordedDisk();
    ToldLog log = ToldLog.create(disk, RING);
    Mark[] marks = new Mark[9];
    for (int i = 0; i < 8; i++) {
      marks[i] = log.log().mark();
      log.append(100);
    }
    byte[] full = disk.bytes(ToldLog.PATH);
    assertThat(log.log().bytesInUse()).isEqualTo(RING);
    assertThat(log.log().hasRoomFor(0)).isFalse();
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> log.log().append(1, true))
        .withMessageContaining("has no room");
    assertThat(disk.bytes(ToldLog.PATH)).isEqualTo(full);
    log.moveStart(marks[2]);
    assertThat(log.log().bytesInUse()).isEqualTo(6 * Blocks.BYTES);
    assertThat(log.log().hasRoomFor(2 * Blocks.BYTES - 64)).isTrue();
    assertThat(log.log().hasRoomFor(2 * Blocks.BYTES - 63)).isFalse();
    log.append(5000);
    assertThat(log.log().hasRoomFor(0)).isFalse();
    assertThat(log.log().grow(2 * RING)).isFalse();
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> log.log().moveStart(marks[1]));
    ToldLog.open(disk, log.told(), 1);
  }

  /// BATCH-W1: with nothing in use, a batch may be longer than what is before START.
  @Test
  void anEmptyRingTakesWhatItIsLongEnoughFor() {
    RecordedDisk disk = new RecordedDisk();
    ToldLog log = ToldLog.create(disk, RING);
    for (int i = 0; i < 4; i++) {
      log.append(100);
      log.moveStart(log.log().mark());
      log.append(RING - 64 - Blocks.BYTES * (i % 2));
      ToldLog next = ToldLog.open(disk.copy(), log.told(), i);
      assertThat(next.log().bytesInUse()).isEqualTo(log.log().bytesInUse());
      log.moveStart(log.log().mark());
    }
  }

  @Test
  void replayComesFirstAndOnce() {
    RecordedDisk disk = new RecordedDisk();
    ToldLog.create(disk, RING).append(1);
    BatchLog log = BatchLog.open(disk, ToldLog.PATH);
    assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> log.append(1, true));
    assertThat(replay(log)).hasSize(1);
    assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> replay(log));
  }

  /// LOG-W2: a block is free when the header is durable, not when it is under way; and a batch that
  /// is appended meanwhile goes elsewhere.
  @Test
  void roomIsFreeWhenStartIsDurable() {
    RecordedDisk disk = new RecordedDisk();
    ToldLog log = ToldLog.create(disk, RING);
    for (int i = 0; i < 7; i++) {
      log.append(100);
    }
    Mark mark = log.log().mark();
    boolean[] isUnderWay = {false};
    disk.observe(
        state -> {
          if (!isUnderWay[0]) {
            isUnderWay[0] = true;
            assertThat(log.log().hasRoomFor(5000)).isFalse();
            log.append(100);
            assertThat(log.log().hasRoomFor(0)).isFalse();
          }
        });
    log.moveStart(mark);
    assertThat(isUnderWay[0]).isTrue();
    assertThat(log.log().hasRoomFor(5000)).isTrue();
    ToldLog.open(disk, log.told(), 1);
  }

  /// One thread appends, another one moves START and grows the ring.
  @Test
  void oneAppendsAndOneMovesStart() throws Exception {
    int count = 400;
    Disk disk = Disk.local();
    try (BatchLog log = BatchLog.create(disk, path(), 3, RING)) {
      FutureTask<Void> checkpoints =
          new FutureTask<>(
              () -> {
                while (log.mark().number() <= count) {
                  Mark mark = log.mark();
                  log.grow(log.ringBytes() + Blocks.BYTES);
                  log.moveStart(mark);
                }
                return null;
              });
      Thread.ofPlatform().daemon().start(checkpoints);
      for (int i = 1; i <= count; i++) {
        String payload = "x".repeat(i * 37 % 9000);
        while (!log.hasRoomFor(payload.length())) {
          Thread.onSpinWait();
        }
        append(log, i, true, payload);
      }
      checkpoints.get();
    }
    try (BatchLog log = BatchLog.open(disk, path())) {
      List<String> found = replay(log);
      assertThat(log.mark().number()).isEqualTo(count + 1);
      for (int i = 0; i < found.size(); i++) {
        int epoch = count - found.size() + 1 + i;
        assertThat(found.get(i)).isEqualTo(epoch + "!" + "x".repeat(epoch * 37 % 9000));
      }
    }
  }
}
