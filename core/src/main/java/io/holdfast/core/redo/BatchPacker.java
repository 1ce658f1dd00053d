package io.holdfast.core.redo;

import io.holdfast.core.disk.Blocks;
import io.holdfast.core.memory.RegionLayout;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;

/// Makes the records of a batch fewer and shorter before they are written.
///
/// **PACK-1** A batch is replayed as a whole or not at all. So the record of a word is left out if
/// a later one of the batch is of the same word, and replay leaves the same bytes: of a stripe's
/// header, to which each operation of a map stores a dozen words, those of the last one remain.
/// Test: BatchPackerTest.pack1ReplayLeavesTheSame.
///
/// **PACK-2** Records of words and bytes that follow one another, in the batch and in a page,
/// become one of bytes. It is no longer than they were, so it is made in their place. Test:
/// BatchPackerTest.pack2WhatFollowsOneAnotherIsOne.
///
/// What fits into a block stays as it is: the block is written anyway. Confined to the leader.
final class BatchPacker {
  /// Words of a record's head and of the least that follows it.
  private static final int UNIT = RedoRecord.UNIT_BYTES / Long.BYTES;

  /// Of a batch's words: 1 MiB of them at most.
  private static final int NUMBER_BITS = 17;

  private static final long NUMBER_MASK = (1L << NUMBER_BITS) - 1;

  /// A copy of the batch, in the heap: there it is read and stored to several times as quickly.
  private long[] batch = {};

  /// By a hash of its offset, for each word: the offset, in words and one more, above the number of
  /// the batch's word where its last record begins. Twice as many as there can be.
  private long[] last = {};

  /// Index mask of the part of it that is in use.
  private int mask;

  /// Where the next record will be.
  private int end;

  /// Where the record is that the next one may be joined to, and where what it stores ends.
  private int open;

  private long openEnd;

  /// @param payload of a batch, up to its position, which is brought up to what remains
  void pack(ByteBuffer payload) {
    if (Batch.bytes(payload.position()) <= Blocks.BYTES) {
      return;
    }
    int length = payload.position() / Long.BYTES;
    LongBuffer words = payload.duplicate().order(payload.order()).position(0).asLongBuffer();
    if (batch.length < length) {
      batch = new long[Integer.highestOneBit(length) << 1];
    }
    words.get(0, batch, 0, length);
    findLast(length);
    end = 0;
    openEnd = 0;
    for (int at = 0; at < length; ) {
      int next = at + length(at);
      long head = batch[at];
      if (RedoRecord.kind(head) != RedoRecord.WORD || isLast(head, at)) {
        keep(at, next - at);
      }
      at = next;
    }
    words.put(0, batch, 0, end);
    payload.position(end * Long.BYTES);
  }

  private int length(int at) {
    return RedoRecord.units(batch[at], batch[at + 1]) * UNIT;
  }

  private void findLast(int length) {
    int size = Integer.highestOneBit(length / UNIT) << 2;
    if (last.length < size) {
      last = new long[size];
    } else {
      Arrays.fill(last, 0, size, 0);
    }
    mask = size - 1;
    for (int at = 0; at < length; at += length(at)) {
      long head = batch[at];
      if (RedoRecord.kind(head) == RedoRecord.WORD) {
        long key = key(head);
        last[place(key)] = key << NUMBER_BITS | at;
      }
    }
  }

  private static long key(long head) {
    return (RedoRecord.offset(head) >>> 3) + 1;
  }

  private int place(long key) {
    int at = (int) (key * 0x9E3779B97F4A7C15L >>> 32) & mask;
    while (last[at] != 0 && last[at] >>> NUMBER_BITS != key) {
      at = at + 1 & mask;
    }
    return at;
  }

  private boolean isLast(long head, int at) {
    return (last[place(key(head))] & NUMBER_MASK) == at;
  }

  private void keep(int at, int length) {
    long head = batch[at];
    int kind = RedoRecord.kind(head);
    boolean isOfWord = kind == RedoRecord.WORD;
    long offset = RedoRecord.offset(head);
    if (!isOfWord && kind != RedoRecord.BYTES) {
      move(at, end, length);
      end += length;
      openEnd = 0;
      return;
    }
    int count = isOfWord ? Long.BYTES : (int) batch[at + 1];
    if (offset == openEnd && offset % Long.BYTES == 0 && offset % RegionLayout.PAGE_BYTES != 0) {
      join(at + (isOfWord ? 1 : UNIT), count);
    } else {
      move(at, end, length);
      open = end;
      end += length;
    }
    // Else what it stores does not end where a word of the record does.
    openEnd = offset % Long.BYTES == 0 ? offset + count : 0;
  }

  /// Has the open record store some more, at the end of what it stores, which is a whole number of
  /// words: it began at one.
  private void join(int from, int count) {
    long head = batch[open];
    boolean wasOfWord = RedoRecord.kind(head) == RedoRecord.WORD;
    int already = wasOfWord ? Long.BYTES : (int) batch[open + 1];
    int to = open + UNIT + already / Long.BYTES;
    int words = Math.ceilDiv(count, Long.BYTES);
    move(from, to, words); // before the word: it may lie where that goes
    if (wasOfWord) {
      batch[open + UNIT] = batch[open + 1];
      batch[open] =
          RedoRecord.head(RedoRecord.offset(head), RedoRecord.BYTES, RedoRecord.epoch(head));
    }
    batch[open + 1] = (long) already + count;
    end = open + length(open);
    Arrays.fill(batch, to + words, end, 0);
  }

  private void move(int from, int to, int count) {
    if (from != to) {
      System.arraycopy(batch, from, batch, to, count);
    }
  }
}
