package io.holdfast.core.redo;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.disk.Blocks;
import io.holdfast.core.memory.RegionLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class BatchPackerTest {
  private static final int PAGE = RegionLayout.PAGE_BYTES;

  /// Behind which pages the region of a test is: offsets are long.
  private static final long BASE = RegionLayout.MAX_BYTES - 16L * PAGE;

  private final ByteBuffer batch = Blocks.allocate(Batch.MAX_PAYLOAD);

  private void word(long offset, long value) {
    record(offset, RedoRecord.WORD, value);
  }

  private void record(long offset, int kind, long second) {
    batch.putLong(RedoRecord.head(BASE + offset, kind, 3)).putLong(second);
  }

  private void entry(long offset, long first) {
    batch.putLong(RedoRecord.head(BASE + offset, RedoRecord.ENTRY, 3));
    for (int i = 0; i < 5; i++) {
      batch.putLong(first + i);
    }
  }

  private void bytes(long offset, byte[] bytes) {
    record(offset, RedoRecord.BYTES, bytes.length);
    batch.put(bytes);
    batch.position(Math.ceilDiv(batch.position(), RedoRecord.UNIT_BYTES) * RedoRecord.UNIT_BYTES);
  }

  /// So many bytes of records that nothing is joined to.
  private void fill() {
    while (Batch.bytes(batch.position()) <= Blocks.BYTES) {
      record(15L * PAGE + batch.position(), RedoRecord.BYTE, 1);
    }
  }

  /// What replay leaves of sixteen pages.
  private byte[] replayed() {
    byte[] image = new byte[16 * PAGE];
    Arrays.fill(image, (byte) -1);
    ByteBuffer words = ByteBuffer.wrap(image).order(batch.order());
    RedoRecord.replay(
        batch.duplicate().order(batch.order()).flip(),
        new RedoRecord.Target() {
          @Override
          public void word(long offset, long value) {
            words.putLong((int) (offset - BASE), value);
          }

          @Override
          public void byteAt(long offset, byte value) {
            image[(int) (offset - BASE)] = value;
          }

          @Override
          public void bytes(long offset, byte[] from, int count) {
            assertThat(offset % PAGE + count).isLessThanOrEqualTo(PAGE);
            System.arraycopy(from, 0, image, (int) (offset - BASE), count);
          }

          @Override
          public void zeros(long offset, long count) {
            Arrays.fill(image, (int) (offset - BASE), (int) (offset - BASE + count), (byte) 0);
          }
        });
    return image;
  }

  private int pack() {
    byte[] before = replayed();
    int length = batch.position();
    new BatchPacker().pack(batch);
    assertThat(Arrays.equals(replayed(), before)).as("replayed").isTrue();
    return length - batch.position();
  }

  /// Records of all kinds, mostly on few words, so that they overlap in all ways.
  @Test
  void pack1ReplayLeavesTheSame() {
    BatchPacker packer = new BatchPacker();
    for (int seed = 0; seed < 500; seed++) {
      Random random = new Random(seed);
      batch.clear();
      int pages = 1 + random.nextInt(3);
      int records = 200 + random.nextInt(1 << random.nextInt(12));
      long next = 0;
      for (int i = 0; i < records; i++) {
        // One in two goes on where the one before ended.
        long at = random.nextBoolean() ? next : random.nextInt(pages) * (long) PAGE;
        at = next == at ? at : at + (random.nextInt(4) == 0 ? PAGE - 64 : random.nextInt(256));
        at %= (long) pages * PAGE;
        long word = at & -8;
        switch (random.nextInt(8)) {
          case 0 -> record(at, RedoRecord.BYTE, random.nextInt(256));
          case 1 -> record(at, RedoRecord.ZEROS, Math.min(random.nextInt(64), PAGE - at % PAGE));
          case 2 -> entry(word % PAGE > PAGE - 32 ? word - 32 : word, random.nextLong());
          case 3, 4 -> {
            byte[] some = new byte[(int) Math.min(1 + random.nextInt(100), PAGE - at % PAGE)];
            random.nextBytes(some);
            bytes(at, some);
            next = at + some.length;
          }
          default -> {
            word(word, random.nextLong());
            next = word + 8;
          }
        }
      }
      byte[] expected = replayed();
      int length = batch.position();
      packer.pack(batch);
      assertThat(batch.position()).isLessThanOrEqualTo(length);
      assertThat(Arrays.equals(replayed(), expected)).as("seed %d", seed).isTrue();
    }
  }

  @Test
  void pack1OfAWordTheLastRecordRemains() {
    fill();
    for (int i = 0; i < 100; i++) {
      word(64, i);
      word(PAGE, i);
    }
    assertThat(pack()).isEqualTo(198 * RedoRecord.UNIT_BYTES);
  }

  /// Else it would be full in the end, and looked through for ever.
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void theTableOfWordsIsEmptiedForEachBatch() {
    BatchPacker packer = new BatchPacker();
    for (int i = 0; i < 10; i++) {
      batch.clear();
      for (int j = 0; j < 400; j++) {
        word((i * 400L + j) * 16, j); // none follows another
      }
      int length = batch.position();
      packer.pack(batch);
      assertThat(batch.position()).isEqualTo(length);
    }
  }

  /// What another kind of record stores in between goes by the order that is left.
  @Test
  void pack1OtherRecordsKeepTheirOrder() {
    fill();
    word(64, 1);
    record(60, RedoRecord.ZEROS, 9);
    word(64, 2);
    record(66, RedoRecord.BYTE, 7);
    assertThat(pack()).isEqualTo(RedoRecord.UNIT_BYTES);
  }

  @Test
  void pack2WhatFollowsOneAnotherIsOne() {
    fill();
    word(64, 1);
    word(72, 2);
    bytes(80, new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
    bytes(88, new byte[] {9, 10, 11}); // 27 bytes by now: a head and two units
    assertThat(pack()).isEqualTo((1 + 1 + 2 + 2 - 3) * RedoRecord.UNIT_BYTES);
  }

  @Test
  void pack2NothingIsJoinedOverAPagesEnd() {
    fill();
    word(PAGE - 8, 1);
    word(PAGE, 2);
    word(3 * PAGE, 3);
    assertThat(pack()).isZero();
  }

  @Test
  void whatFitsIntoABlockIsLeft() {
    word(64, 1);
    word(64, 2);
    assertThat(pack()).isZero();
  }
}
