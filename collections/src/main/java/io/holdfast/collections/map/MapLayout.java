package io.holdfast.collections.map;

import static io.holdfast.core.memory.RegionLayout.LINE_BYTES;
import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;

/// A map on media, format version 1: a root block, stripes with their directories and segments, and
/// chunks of slots.
///
/// Root block:
///
/// | offset | content |
/// |---|---|
/// | 0 | SHAPE: binary logarithm of the number of stripes |
/// | 8, 16 | SECRET: what keys are hashed with |
/// | 24 | BOOT: which run of the operating system the index is of; 0: none, or one unknown |
/// | 32 | MODE: 1 if the map was last opened to survive a loss of power |
/// | 40 | GARBAGE: the first stripe that was cleared and not yet freed; linked by NEXT |
/// | 48, 56 | BATCH and DONE: `Batches` |
/// | 64 | for each stripe its block, 0 if nothing was ever put there |
/// | behind | how many slots the last batch has, and which |
///
/// Stripe, 13 lines. Line 0 is written by every operation, line 1 hardly ever:
///
/// | offset | content |
/// |---|---|
/// | 0 | STATE: version of the last operation above; bit 0 READY: it is being applied |
/// | 8 | INTENT: the index word of the operation's entry; 0 for a removal |
/// | 16 | OLD: the slot that becomes free, or 0 |
/// | 24 | WORD: where INTENT goes |
/// | 32 | NEXT: HEAD as it will be; or BUMP, shifted left by one, with bit 0 |
/// | 40 | TAIL: of OLD's class, before |
/// | 48, 56 | COUNT: entries behind the operations of even and of odd versions |
/// | 64 | DIRECTORY: offset of the directory above; its depth in the low byte |
/// | 128 | for each size class: HEAD and TAIL of its free slots, BUMP, newest CHUNK |
///
/// BUMP says which slots of the newest chunk were never used: line of the first above, how many in
/// the low 16 bits.
///
/// Directory: 2^depth words, the segment for each value of the hash's top bits.
///
/// Segment, 63 lines: word 0 is its own depth; from line 1 on 31 buckets of two lines. Index word:
/// the hash's top 22 bits above, the slot's line number in the low 42; 0 if there is none.
///
/// Chunk: one line (next older chunk, its lines, its size class), then slots.
///
/// Slot, n lines:
///
/// | offset | content |
/// |---|---|
/// | 0 | META: polarity (bit 0), transaction count (1 to 8), version (10 to 63) |
/// | 8 | length of the key in the low half, of the value in the high one |
/// | 16 | LINK: the next free slot, while this one is free |
/// | 24 | key and value, one behind the other: 40 bytes here, 63 in each further line |
/// | 64 i + 63 | bit 0: validity of further line i |
///
/// **MAP-1** A slot holds an entry if META has a version and the validity of each further line of
/// the slot (not of the entry alone) is META's polarity. META is stored last in its line, and the
/// validities last in theirs.
///
/// **MAP-2** A slot that is free is void: META without a version, and the validities its polarity;
/// durably so before anything else is stored in it. The slot that was freed last is never used
/// next, for its voiding is made durable by the operation behind.
///
/// **MAP-3** Of two entries of one key, that of the higher version counts. A slot is made void only
/// when what replaces its entry is durable.
///
/// **MAP-4** An entry can be found only when it is durable.
///
/// **MAP-5** While READY is set, line 0 says absolutely what the operation stores: doing it again
/// leads to the same, wherever it was cut off. Without it, the slot of INTENT, if it has a version
/// above STATE's, is of an operation that never was.
///
/// **MAP-6** A reader has found something, or nothing, if META was the same and had a version
/// before and after it read the slot, the index word that led there was the same behind that, and
/// the stripe's sequence was the same and even. A slot of another key says nothing.
///
/// **MAP-7** `StripeGarbage`. **MAP-8** `Deletion`.
final class MapLayout {
  static final int ROOT_SHAPE = 0, ROOT_SECRET = 8, ROOT_BOOT = 24, ROOT_MODE = 32;
  static final int ROOT_GARBAGE = 40, ROOT_BATCH = 48, ROOT_DONE = 56;
  static final int ROOT_STRIPES = LINE_BYTES;

  static final int STATE = 0, INTENT = 8, OLD = 16, WORD = 24, NEXT = 32, TAIL = 40, COUNT = 48;
  static final int DIRECTORY = LINE_BYTES;
  static final int CLASSES = 2 * LINE_BYTES;

  /// In a class's part of a stripe.
  static final int CLASS_HEAD = 0, CLASS_TAIL = 8, CLASS_BUMP = 16, CLASS_CHUNK = 24;

  private static final int CLASS_BYTES = 32;

  static final int STRIPE_BYTES = CLASSES + SlotClass.COUNT * CLASS_BYTES;

  static final long READY = 1;

  static final int CHUNK_OLDER = 0, CHUNK_LINES = 8, CHUNK_CLASS = 16;

  static final int SEGMENT_DEPTH = 0;
  static final int SEGMENT_LINES = 63;
  static final int SEGMENT_BYTES = SEGMENT_LINES * LINE_BYTES;
  static final int BUCKETS = (SEGMENT_LINES - 1) / 2;
  static final int BUCKET_WORDS = 2 * LINE_BYTES / WORD_BYTES;
  static final int BUCKET_BYTES = BUCKET_WORDS * WORD_BYTES;

  /// Of an index word's 64 bits, 42 are a slot's line: 2^48 bytes.
  static final int LINE_BITS = 42;

  /// A directory goes by bits that index words have; two are left to tell keys apart.
  static final int DEPTH_MAX = 64 - LINE_BITS - 2;

  static final int META = 0, LENGTHS = 8, LINK = 16, PAYLOAD = 24;
  static final int FIRST_LINE_PAYLOAD = LINE_BYTES - PAYLOAD;
  static final int FURTHER_LINE_PAYLOAD = LINE_BYTES - 1;

  private static final int VERSION_SHIFT = 10;
  private static final int COUNT_SHIFT = 1;

  static long classAt(long stripe, int sizeClass) {
    return stripe + CLASSES + (long) sizeClass * CLASS_BYTES;
  }

  /// Where the count of a stripe is behind the operation of a version.
  static long countAt(long stripe, long version) {
    return stripe + COUNT + (version & 1) * WORD_BYTES;
  }

  static long meta(long version, int count, long polarity) {
    return version << VERSION_SHIFT | (long) count << COUNT_SHIFT | polarity;
  }

  static long version(long meta) {
    return meta >>> VERSION_SHIFT;
  }

  /// How many entries the batch has that an entry belongs to; 1 if none.
  static int count(long meta) {
    return (int) (meta >>> COUNT_SHIFT) & 0xff;
  }

  static long polarity(long meta) {
    return meta & 1;
  }

  static long indexWord(long hash, long slot) {
    return hash >>> LINE_BITS << LINE_BITS | slot / LINE_BYTES;
  }

  static long slotOf(long indexWord) {
    return (indexWord & (1L << LINE_BITS) - 1) * LINE_BYTES;
  }

  /// Whether an index word can be of a key with a hash.
  static boolean matches(long indexWord, long hash) {
    return (indexWord ^ hash) >>> LINE_BITS == 0 && indexWord != 0;
  }

  static int keyLength(long lengths) {
    return (int) lengths;
  }

  static int valueLength(long lengths) {
    return (int) (lengths >>> 32);
  }

  static long lengths(int key, int value) {
    return (long) value << 32 | key;
  }

  static long bump(long slot, int left) {
    return slot / LINE_BYTES << 16 | left;
  }

  static long bumpSlot(long bump) {
    return (bump >>> 16) * LINE_BYTES;
  }

  static int bumpLeft(long bump) {
    return (int) (bump & 0xffff);
  }

  private MapLayout() {}
}
