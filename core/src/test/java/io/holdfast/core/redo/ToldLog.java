package io.holdfast.core.redo;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.disk.Disk;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// A log whose test knows what was appended, what of it must be found again, and what may be.
final class ToldLog {
  static final Path PATH = Path.of("/disk/region.log");
  static final long IDENTITY = 7;

  /// What may be found after a crash.
  ///
  /// @param acknowledged number of the last batch whose append has returned
  /// @param begun number of the last batch whose append was begun
  /// @param startLeast START that is durable
  /// @param startMost START that may be
  /// @param batches by number
  record Told(
      long acknowledged, long begun, long startLeast, long startMost, Map<Long, byte[]> batches) {}

  private final BatchLog log;
  private final Random random;
  private final Map<Long, byte[]> batches;
  private long acknowledged;
  private long begun;
  private long startLeast;
  private long startMost;

  private ToldLog(BatchLog log, Told told, long seed) {
    this.log = log;
    this.random = new Random(seed);
    this.batches = new HashMap<>(told.batches);
    this.acknowledged = told.acknowledged;
    this.begun = told.begun;
    this.startLeast = told.startLeast;
    this.startMost = told.startMost;
  }

  static ToldLog create(Disk disk, int ringBytes) {
    BatchLog log = BatchLog.create(disk, PATH, IDENTITY, ringBytes);
    return new ToldLog(log, new Told(0, 0, 1, 1, Map.of()), 1);
  }

  /// Opens a log with the real recovery, and compares what it finds: all that must be there, byte
  /// for byte, nothing that was never written, and no gap.
  static ToldLog open(Disk disk, Told told, long seed) {
    BatchLog log = BatchLog.open(disk, PATH);
    assertThat(log.identity()).isEqualTo(IDENTITY);
    List<byte[]> found = new ArrayList<>();
    List<Long> epochs = new ArrayList<>();
    long count =
        log.replay(
            (epoch, isComplete, payload) -> {
              assertThat(isComplete).isEqualTo(isComplete(epoch));
              byte[] bytes = new byte[payload.remaining()];
              payload.get(bytes);
              found.add(bytes);
              epochs.add(epoch);
            });
    assertThat(count).isEqualTo(found.size());
    long last = log.mark().number() - 1;
    long first = last - count + 1;
    assertThat(first).isIn(told.startLeast, told.startMost);
    assertThat(last).isBetween(told.acknowledged, told.begun);
    for (int i = 0; i < count; i++) {
      assertThat(epochs.get(i)).isEqualTo(first + i);
      byte[] expected = told.batches.get(first + i);
      assertThat(Arrays.equals(found.get(i), expected))
          .as("batch %d of %d bytes, expected %d", first + i, found.get(i).length, expected.length)
          .isTrue();
    }
    return new ToldLog(log, new Told(last, last, first, first, told.batches), seed);
  }

  /// What it knows; in the middle of an operation, too.
  Told told() {
    return new Told(acknowledged, begun, startLeast, startMost, Map.copyOf(batches));
  }

  BatchLog log() {
    return log;
  }

  /// Numbers are epochs here, and every third batch is not the last of its own.
  private static boolean isComplete(long epoch) {
    return epoch % 3 != 0;
  }

  void append(int length) {
    byte[] payload = new byte[length];
    random.nextBytes(payload);
    append(payload);
  }

  void append(byte[] payload) {
    long number = log.mark().number();
    ByteBuffer buffer = log.payload().put(payload);
    assertThat(buffer.position()).isEqualTo(payload.length);
    batches.put(number, payload);
    begun = number;
    log.append(number, isComplete(number));
    acknowledged = number;
    assertThat(log.mark().number()).isEqualTo(number + 1);
  }

  /// Whether it had room.
  boolean appendIfRoom(int length) {
    if (!log.hasRoomFor(length)) {
      return false;
    }
    append(length);
    return true;
  }

  void moveStart(Mark mark) {
    startMost = mark.number();
    log.moveStart(mark);
    startLeast = mark.number();
  }
}
