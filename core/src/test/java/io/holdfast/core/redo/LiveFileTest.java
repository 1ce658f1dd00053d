package io.holdfast.core.redo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.RegionFormatException;
import io.holdfast.core.RegionFullException;
import io.holdfast.core.disk.Blocks;
import io.holdfast.core.disk.Disk;
import io.holdfast.core.fixture.FaultyDisk;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LiveFileTest {
  private static final int RING = 4 << 20;

  @TempDir Path directory;
  private final Disk disk = Disk.local();
  private Path region;
  private BatchLog log;
  private MemorySegment live;

  @BeforeEach
  void create() throws IOException {
    region = Files.createFile(directory.resolve("r.hf"));
    log = BatchLog.create(disk, directory.resolve("r.hf.log"), 77, RING);
    live = LiveFile.create(disk, region, log, 5);
  }

  @AfterEach
  void close() {
    log.close();
  }

  /// What is left of the process, with the log at some batch.
  private List<Long> left(long identity, long next, long lastEpoch) throws IOException {
    ByteBuffer into = Blocks.allocate(RedoStreams.BYTES);
    LiveFile.read(disk, region, identity, new Mark(0, next, 0), lastEpoch, into);
    List<Long> words = new ArrayList<>();
    for (into.flip(); into.hasRemaining(); ) {
      into.getLong();
      words.add(into.getLong());
    }
    return words;
  }

  private RedoStreams streams() {
    return new RedoStreams(live, Thread::onSpinWait);
  }

  /// LIVE-1.
  @Test
  void live1WhatIsAnothersDoesNotCount() throws IOException {
    RedoStreams streams = streams();
    streams.landed(streams.word(0, RedoRecord.WORD, 42));
    long next = log.mark().number();
    assertThat(left(77, next, 5)).containsExactly(42L);
    assertThat(left(77, next + 1, 5)).as("a batch of which it was not told").containsExactly(42L);
    assertThat(left(77, next + 1, 6)).as("the batch that has it").isEmpty();
    assertThat(left(78, next, 5)).as("another log's").isEmpty();
    assertThat(left(77, next + 2, 5)).as("of an earlier moment").isEmpty();
    assertThat(left(77, next - 1, 5)).as("of a later moment").isEmpty();
    long boot = live.get(ValueLayout.JAVA_LONG, 16);
    live.set(ValueLayout.JAVA_LONG, 16, boot + 1);
    assertThat(left(77, next, 5)).as("of another run of the system").isEmpty();
    live.set(ValueLayout.JAVA_LONG, 16, boot);
    assertThat(left(77, next, 5)).isNotEmpty();
    Files.delete(LiveFile.of(region));
    assertThat(left(77, next, 5)).isEmpty();
  }

  /// LIVE-2: a crash at each moment of freeing.
  @Test
  void live2WhatIsHalfZeroedIsNotRead() throws IOException {
    RedoStreams streams = streams();
    byte[] heads = new byte[64];
    Arrays.fill(heads, (byte) -1); // no record begins so
    streams.landed(streams.bytes(0, heads, 0, heads.length));
    streams.landed(streams.word(8, RedoRecord.WORD, 43));
    long epoch = streams.gather(Blocks.allocate(RedoStreams.BYTES), _ -> {});
    streams.landed(streams.word(16, RedoRecord.WORD, 44)); // of the next one
    streams.written(epoch, log.mark().number());
    int stream = 0;
    long begin = LiveFile.HEADER_BYTES + (long) stream * RedoStreams.RING_BYTES;
    assertThat(live.get(ValueLayout.JAVA_LONG, begin)).as("the stream").isNotZero();
    byte[] before = Files.readAllBytes(LiveFile.of(region));
    streams.free();
    long done = live.get(ValueLayout.JAVA_LONG, LiveFile.done(stream));
    assertThat(done).isEqualTo(6);
    assertThat(live.get(ValueLayout.JAVA_LONG, LiveFile.freed(stream))).isEqualTo(done);
    for (int zeroed = 0; zeroed <= done; zeroed++) { // DONE is there, FREED is not
      byte[] cut = before.clone();
      Arrays.fill(cut, (int) begin, (int) begin + zeroed * 16, (byte) 0);
      MemorySegment.copy(cut, 0, live, ValueLayout.JAVA_BYTE, 0, cut.length);
      live.set(ValueLayout.JAVA_LONG, LiveFile.done(stream), done);
      assertThat(left(77, log.mark().number(), 5)).containsExactly(44L);
    }
  }

  /// LIVE-3: a thread that a crash cuts off behind its ticket, and at each word of its record.
  @Test
  void live3WhatWasCutOffIsSkipped() throws IOException {
    RedoStreams streams = streams();
    streams.landed(streams.entry(0, -1, -1, -1, -1));
    streams.landed(streams.word(64, RedoRecord.WORD, 45));
    byte[] whole = Files.readAllBytes(LiveFile.of(region));
    int begin = LiveFile.HEADER_BYTES;
    assertThat(left(77, log.mark().number(), 5)).hasSize(4).endsWith(45L);
    for (int words = 0; words <= 4; words++) {
      byte[] cut = whole.clone();
      ByteBuffer head = ByteBuffer.wrap(cut).order(java.nio.ByteOrder.LITTLE_ENDIAN);
      head.putLong(begin, words == 0 ? 0 : RedoRecord.hole(RedoRecord.ENTRY_UNITS));
      for (int i = words; i < 5; i++) {
        head.putLong(begin + 8 + 8 * i, 0);
      }
      MemorySegment.copy(cut, 0, live, ValueLayout.JAVA_BYTE, 0, cut.length);
      assertThat(left(77, log.mark().number(), 5)).containsExactly(45L);
    }
  }

  /// LIVE-3: a thread that is cut off within a record's bytes, which go on at the ring's beginning.
  @Test
  void live3ARecordIsAnnouncedBeforeItsBytes() throws IOException {
    RedoStreams streams = streams();
    for (int i = 0; i < RedoStreams.RING_UNITS - 8; i++) {
      streams.landed(streams.word(0, RedoRecord.WORD, i));
      if (i == RedoStreams.RING_UNITS / 2) {
        long epoch = streams.gather(Blocks.allocate(RedoStreams.BYTES), _ -> {});
        streams.written(epoch, log.mark().number());
        streams.free();
      }
    }
    byte[] heads = new byte[150];
    Arrays.fill(heads, (byte) -1); // no record begins so
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> streams.bytes(0, heads, 0, 200));
    streams.landed(streams.word(8, RedoRecord.WORD, 46));
    assertThat(left(77, log.mark().number(), 5)).endsWith(RedoStreams.RING_UNITS - 9L, 46L);
  }

  @Test
  void whatContradictsItselfIsRefused() {
    RedoStreams streams = streams();
    streams.landed(streams.word(0, RedoRecord.WORD, 42));
    live.set(ValueLayout.JAVA_LONG, LiveFile.HEADER_BYTES, 6L << 44); // no kind of record
    assertThatExceptionOfType(RegionDamagedException.class)
        .isThrownBy(() -> left(77, log.mark().number(), 5))
        .withMessageContaining("r.hf.live")
        .withMessageContaining("without this file");
    live.set(ValueLayout.JAVA_LONG, LiveFile.freed(3), 9L);
    assertThatExceptionOfType(RegionDamagedException.class)
        .isThrownBy(() -> left(77, log.mark().number(), 5))
        .withMessageContaining("ticket=0");
  }

  @Test
  void whatACrashLeftOfAMakingIsMadeAnew() throws IOException {
    byte[] made = Files.readAllBytes(LiveFile.of(region));
    for (int end : new int[] {0, 8, 16, 24, 72, 80, made.length}) {
      byte[] left = new byte[made.length];
      System.arraycopy(made, 8, left, 8, Math.max(0, end - 8));
      Files.write(LiveFile.of(region), left);
      live = LiveFile.create(disk, region, log, 5);
      assertThat(Files.readAllBytes(LiveFile.of(region))).as("up to %d", end).isEqualTo(made);
    }
  }

  /// A file of that name that is not a stream's is neither read nor deleted.
  @Test
  void anotherFileOfThatNameStays() throws IOException {
    Path other = directory.resolve("o.hf");
    Files.createFile(other);
    Files.writeString(LiveFile.of(other), "notes");
    assertThatExceptionOfType(RegionFormatException.class)
        .isThrownBy(() -> LiveFile.create(disk, other, log, 0))
        .withMessageContaining("taken by another file");
    assertThat(LiveFile.delete(disk, LiveFile.of(other))).isFalse();
    assertThat(LiveFile.of(other)).hasContent("notes");
    assertThat(LiveFile.delete(disk, LiveFile.of(region))).isTrue();
    assertThat(LiveFile.of(region)).doesNotExist();
  }

  /// A disk that is full when the file is made, and when it is filled.
  @Test
  void aFullDiskIsSaid() {
    Path other = directory.resolve("o.hf");
    for (int call = 1; call <= 2; call++) {
      FaultyDisk full = new FaultyDisk(disk);
      full.fail(call, FaultyDisk.Fault.FULL);
      assertThatExceptionOfType(RegionFullException.class)
          .isThrownBy(() -> LiveFile.create(full, other, log, 0))
          .withMessageContaining("Make room")
          .withMessageContaining(LiveFile.of(other).toString());
      assertThat(LiveFile.of(other)).doesNotExist();
    }
  }
}
