package io.holdfast.core.redo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.holdfast.core.disk.Blocks;
import io.holdfast.core.memory.RegionLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class RedoStreamsTest {
  private static final int PAGE = RegionLayout.PAGE_BYTES;

  /// What replay leaves, by words; for the kinds that a test stores.
  private static final class Image implements RedoRecord.Target {
    final Map<Long, Long> words = new HashMap<>();
    final List<String> others = new ArrayList<>();

    @Override
    public void word(long offset, long value) {
      words.put(offset, value);
    }

    @Override
    public void byteAt(long offset, byte value) {
      others.add("byte %d at %d".formatted(value, offset));
    }

    @Override
    public void bytes(long offset, byte[] from, int count) {
      others.add("%d bytes of %d at %d".formatted(count, from[count - 1], offset));
    }

    @Override
    public void zeros(long offset, long count) {
      others.add("%d zeros at %d".formatted(count, offset));
    }

    long at(long offset) {
      return words.getOrDefault(offset, 0L);
    }
  }

  private static ByteBuffer gathered(RedoStreams streams) {
    ByteBuffer batch = Blocks.allocate(RedoStreams.BYTES);
    long epoch = streams.gather(batch, _ -> {});
    streams.written(epoch, 0);
    streams.free();
    return batch.flip();
  }

  /// Without a file.
  static MemorySegment live() {
    return Arena.ofAuto().allocate(LiveFile.BYTES, Long.BYTES);
  }

  private static RedoStreams streams() {
    return new RedoStreams(live(), () -> {});
  }

  @Test
  void eachKindOfRecordIsReplayed() {
    RedoStreams streams = streams();
    long highest = RegionLayout.MAX_BYTES - PAGE;
    byte[] bytes = new byte[PAGE];
    bytes[PAGE - 1] = 9;
    bytes[4] = 5;
    streams.landed(streams.word(highest, RedoRecord.WORD, -1));
    streams.landed(streams.word(13, RedoRecord.BYTE, -7));
    streams.landed(streams.entry(2L * PAGE, 1, 2, 3, 4));
    streams.landed(streams.bytes(PAGE, bytes, 0, PAGE));
    streams.landed(streams.bytes(PAGE + 3, bytes, 2, 3));
    streams.landed(streams.word(3L * PAGE, RedoRecord.ZEROS, PAGE));
    Image image = new Image();
    RedoRecord.replay(gathered(streams), image);
    assertThat(image.words)
        .isEqualTo(
            Map.of(
                highest,
                -1L,
                2L * PAGE,
                1L,
                2L * PAGE + 8,
                2L,
                2L * PAGE + 16,
                3L,
                2L * PAGE + 24,
                4L));
    assertThat(image.others)
        .containsExactlyInAnyOrder(
            "byte -7 at 13",
            "4096 bytes of 9 at 4096",
            "3 bytes of 5 at 4099",
            "4096 zeros at 12288");
    RedoRecord.replay(gathered(streams), image);
    assertThat(image.others).as("a record is gathered once").hasSize(4);
  }

  /// STREAM-1, REDO-3: many times round each ring, with records of all lengths.
  @Test
  void stream1RoomIsUsedAgain() {
    RedoStreams streams = streams();
    Random random = new Random(7);
    Map<Long, Long> expected = new HashMap<>();
    Image image = new Image();
    byte[] bytes = new byte[PAGE];
    java.util.Arrays.fill(bytes, (byte) -1); // heads, if it were not zeroed
    for (int i = 0; i < 20_000; i++) {
      long offset = random.nextInt(4_000) * 8L;
      streams.landed(streams.word(offset, RedoRecord.WORD, i));
      expected.put(offset, (long) i);
      if (i % 3 == 0) {
        streams.landed(streams.bytes(64L * PAGE, bytes, 0, 1 + random.nextInt(100)));
      }
      if (i % 50 == 0) {
        RedoRecord.replay(gathered(streams), image);
      }
    }
    RedoRecord.replay(gathered(streams), image);
    assertThat(image.words).isEqualTo(expected);
  }

  /// CUT-1, REDO-1, REDO-2: threads hand a number on, from page to page; no cut has a later store
  /// without the earlier one.
  @Test
  void cut1WhatHappenedBeforeIsIn() throws InterruptedException {
    int threads = 3;
    AtomicLongArray shared = new AtomicLongArray(threads * 16);
    AtomicBoolean done = new AtomicBoolean();
    RedoStreams streams = new RedoStreams(live(), Thread::onSpinWait);
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int mine = i;
      all.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    long before = 0;
                    while (!done.get()) {
                      long next = mine == 0 ? before + 1 : shared.getAcquire((mine - 1) * 16);
                      if (next != before) {
                        streams.landed(streams.word(page(mine), RedoRecord.WORD, next));
                        shared.setRelease(mine * 16, next);
                        before = next;
                      }
                    }
                  }));
    }
    Image image = new Image();
    long end = System.nanoTime() + 1_500_000_000L;
    int cuts = 0;
    while (System.nanoTime() < end || cuts < 10 || image.at(page(threads - 1)) == 0) {
      RedoRecord.replay(gathered(streams), image);
      cuts++;
      for (int i = 1; i < threads; i++) {
        assertThat(image.at(page(i - 1))).isGreaterThanOrEqualTo(image.at(page(i)));
      }
    }
    done.set(true);
    for (Thread each : all) {
      while (each.isAlive()) {
        gathered(streams);
        each.join(1);
      }
    }
  }

  /// REDO-2: what is stored while an epoch ends is in that one or in the next.
  @Test
  void redo2NoStoreIsLost() throws InterruptedException {
    int each = 100_000;
    RedoStreams streams = new RedoStreams(live(), Thread::onSpinWait);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      long first = i * 8L * each;
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (long n = 0; n < each; n++) {
                      streams.landed(streams.word(first + n * 8, RedoRecord.WORD, n + 1));
                    }
                  }));
    }
    Image image = new Image();
    for (Thread storing : threads) {
      while (storing.isAlive()) {
        RedoRecord.replay(gathered(streams), image);
      }
    }
    RedoRecord.replay(gathered(streams), image);
    assertThat(image.words).hasSize(2 * each);
  }

  /// REMAP-1.
  @Test
  void remap1NobodyStoresWhileStoresAreHeld() throws InterruptedException {
    int threads = 3;
    AtomicLongArray region = new AtomicLongArray(threads * 16);
    AtomicBoolean done = new AtomicBoolean();
    RedoStreams streams = new RedoStreams(live(), Thread::onSpinWait);
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int mine = i;
      all.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (long n = 1; !done.get(); n++) {
                      long place = streams.word(page(mine), RedoRecord.WORD, n);
                      region.setPlain(mine * 16, n);
                      streams.landed(place);
                    }
                  }));
    }
    long end = System.nanoTime() + 1_500_000_000L;
    int held = 0;
    while (System.nanoTime() < end || held < 10) {
      gathered(streams);
      if (streams.hold(_ -> {}, 1_000_000)) {
        held++;
        long[] first = values(region, threads);
        LockSupport.parkNanos(1_000);
        assertThat(values(region, threads)).isEqualTo(first);
      }
      streams.release();
    }
    done.set(true);
    for (Thread each : all) {
      while (each.isAlive()) {
        gathered(streams);
        each.join(1);
      }
    }
  }

  private static long[] values(AtomicLongArray region, int threads) {
    long[] values = new long[threads];
    for (int i = 0; i < threads; i++) {
      values[i] = region.get(i * 16);
    }
    return values;
  }

  /// Pages of different streams.
  private static long page(int thread) {
    return thread * 5L * PAGE;
  }

  /// STREAM-2: a thread that has a ticket and no room; what others have published is taken.
  @Test
  void stream2WhoWaitsForRoomIsNotWaitedFor() throws InterruptedException {
    AtomicBoolean mayGoOn = new AtomicBoolean();
    RedoStreams streams = new RedoStreams(live(), Thread::onSpinWait);
    int stored = 3_000; // of which one ring has 2,048
    Thread storing =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (long i = 1; i <= stored; i++) {
                    streams.landed(streams.word(0, RedoRecord.WORD, i));
                  }
                  mayGoOn.set(true);
                });
    Image image = new Image();
    while (!mayGoOn.get()) {
      RedoRecord.replay(gathered(streams), image);
    }
    storing.join();
    RedoRecord.replay(gathered(streams), image);
    assertThat(image.at(0)).isEqualTo(stored);
  }

  /// STREAM-2: a record that will never be there.
  @Test
  void stream2AnErrorThatCutsOffAStoreIsTold() {
    AtomicBoolean isHalfFull = new AtomicBoolean();
    RedoStreams streams =
        new RedoStreams(
            live(),
            () -> {
              if (isHalfFull.getAndSet(true)) {
                throw new OutOfMemoryError("for the test");
              }
            });
    try {
      for (int i = 0; i < 3_000; i++) {
        streams.landed(streams.word(0, RedoRecord.WORD, i));
      }
    } catch (OutOfMemoryError e) {
      streams.failure = e; // as RedoMemory does
    }
    gathered(streams);
    assertThatIllegalStateException()
        .isThrownBy(() -> gathered(streams))
        .withMessageContaining("cut off");
  }
}
