package io.holdfast.collections.map.slot;

import static io.holdfast.core.memory.RegionLayout.LINE_BYTES;
import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;

/// A map on media, format version 1: a root block, stripes with their directories and segments, and
/// chunks of slots.
///
/// Root block:
///
/// | offset | content |
/// |---|---|
/// | 0 | SHAPE: binary logarithm of the number of stripes; 0x100 if it is one of `WordLayout`; 0x200 if its slots are dense |
/// | 8, 16 | SECRET: what keys are hashed with |
/// | 24 | BOOT: which run of the operating system the index is of; 0: none, or one unknown |
/// | 32 | MODE: 1 if the map was last opened to survive a loss of power |
/// | 40 | GARBAGE: the first stripe that was cleared and not yet freed; linked by NEXT |
/// | 48, 56 | BATCH and DONE: `Batches` |
/// | 64 | for each stripe its block, 0 if nothing was ever put there |
/// | then | how many slots the last batch has; for each its offset, and NEXT |
///
/// Stripe, 13 lines, or 16 if slots are dense. Line 0 is written by every operation, line 1 hardly
/// ever:
///
/// | offset | content |
/// |---|---|
/// | 0 | STATE: version of the last operation above; bit 0 READY: it is being applied |
/// | 8 | INTENT: the index word of the operation's entry; 0 for a removal |
/// | 16 | OLD: the slot that becomes free, or 0 |
/// | 24 | WORD: where INTENT goes |
/// | 32 | NEXT: HEAD as it will be; or BUMP, shifted left by one, with bit 0 |
/// | 40 | TAIL: of OLD's class, before |
/// | 48, 56 | COUNT: entries after the operations of even and of odd versions |
/// | 64 | DIRECTORY: offset of the directory above; its depth in the low byte |
/// | 72 | LARGE: the newest large block |
/// | 128 | for each size class: HEAD and TAIL of its free slots, BUMP, newest CHUNK |
///
/// If slots are dense, 832 KEPT: where an update in place is under way, or 0; 840 how many bytes it
/// overwrites, 848 these, 120 at most (`OverwrittenBytes`).
///
/// BUMP says which slots of the newest chunk were never used: line of the first above, how many in
/// the low 16 bits.
///
/// Directory: 2^depth words, the segment for each value of the hash's top bits.
///
/// Segment, 63 lines: word 0 is its own depth; from line 1 on 31 buckets of two lines. Index word:
/// the hash's top 22 bits above, the slot's line number in the low 42; 0 if there is none.
///
/// Chunk: one line, then slots of a size class. The line:
///
/// | offset | content |
/// |---|---|
/// | 0, 24 | OLDER, NEWER: the class's next chunks, or 0 |
/// | 8, 16 | its lines; its size class |
/// | 32 | USED: how many of its slots hold an entry |
///
/// Large block: one line (OLDER, its bytes, LARGE_CLASS, NEWER, lengths of key and value), then a
/// slot for one entry that fits no size class.
///
/// Slot, n lines; `SlotForm` says what the first one has besides META:
///
/// | offset | content |
/// |---|---|
/// | 0 | META: polarity (bit 0), transaction count (1 to 8), version (10 to 63) |
/// | 8 | key and value, one after the other: 48 bytes here, 53 if they are 116 at most; 63 in each further line |
/// | 56 | if they are 116 at most, in bits 40 to 63: number in its chunk (10 bits), length of the value (7), length of the key (7) |
/// | 56 | else number in its chunk (bits 0 to 9), size class (10 to 14), lengths of key (15 to 29) and value (30 to 44), 127 (57 to 63) |
/// | 64 i + 63 | bit 0: validity of further line i |
///
/// A free slot has the next free one at 8 (0 at TAIL), the previous one at 16 (of no meaning at
/// HEAD), and at 56 its number and size class, as an entry has them.
///
/// The slot of a large block has key and value in one piece from 64 on, what of the key fits into
/// the first line at 8 besides, and no validities: the section that links the block has stored it
/// whole. Its lengths are in the block's line.
///
/// In maps without 0x200 a slot has three words before key and value: META; at 8 the lengths, that
/// of the key in the low half; at 16 its number (bits 0 to 9), its size class (10 to 14) and the
/// line of the next free slot (22 to 63), which stays there when the slot is taken. Key and value
/// begin at 24, also in a large block; a free slot has the previous one there. A batch lists no
/// NEXT.
///
/// **MAP-1** A slot holds an entry if META has a version and the validity of each further line of
/// the slot (not of the entry alone) is META's polarity. META is stored last in its line, and the
/// validities last in theirs.
///
/// **MAP-2** A slot that is free is invalid: META without a version, and the validities its
/// polarity; if it has several lines, durably so before anything else is stored in it. The slot
/// that was freed last is never used next, for its voiding is made durable by the operation after
/// (`FreedSlots`, MAP-12).
///
/// **MAP-3** Of two entries of one key, that of the higher version counts. A slot is made invalid
/// only when what replaces its entry is durable.
///
/// **MAP-4** An entry can be found only when it is durable.
///
/// **MAP-5** While READY is set, line 0 says absolutely what the operation stores: doing it again
/// leads to the same, wherever it was cut off. Without it, the slot of INTENT, if it has a version
/// above STATE's, is of an operation that never was, and the count before counts: of two versions
/// one after the other one is even and one odd.
///
/// **MAP-6** What a reader has found, or that there is nothing, counts if the stripe's seqlock was
/// the same and even before it read anything and after that. The seqlock is odd while what can be
/// found changes: index words, and slots that are freed.
///
/// MAP-7 is in `StripeGarbage`, MAP-8 in `Deletion`, MAP-9 in `StripeSeqlock`, MAP-10 in
/// `SlotSupply`, MAP-11 in `LargeEntries`, MAP-13 in `InPlaceWriter`, MAP-14 in `SlotForm`, MAP-15
/// in `OverwrittenBytes`.
public final class MapLayout {
  public static final int ROOT_SHAPE = 0, ROOT_SECRET = 8, ROOT_BOOT = 24, ROOT_MODE = 32;
  public static final int ROOT_GARBAGE = 40, ROOT_BATCH = 48, ROOT_DONE = 56;
  public static final int ROOT_STRIPES = LINE_BYTES;

  public static final int STATE = 0,
      INTENT = 8,
      OLD = 16,
      WORD = 24,
      NEXT = 32,
      TAIL = 40,
      COUNT = 48;
  public static final int DIRECTORY = LINE_BYTES;
  public static final int LARGE = DIRECTORY + WORD_BYTES;
  public static final int CLASSES = 2 * LINE_BYTES;

  /// In a class's part of a stripe.
  public static final int CLASS_HEAD = 0, CLASS_TAIL = 8, CLASS_BUMP = 16, CLASS_CHUNK = 24;

  private static final int CLASS_BYTES = 32;

  /// Where the stripe of a map ends whose slots are not dense.
  public static final int STRIPE_BYTES = CLASSES + SlotClass.COUNT * CLASS_BYTES;

  public static final int KEPT = STRIPE_BYTES, KEPT_COUNT = KEPT + 8, KEPT_BYTES = KEPT + 16;

  /// What an update of the first two lines can overwrite.
  public static final int KEPT_MAX = 2 * LINE_BYTES - WORD_BYTES;

  public static final long READY = 1;

  public static final int CHUNK_OLDER = 0, CHUNK_LINES = 8, CHUNK_CLASS = 16, CHUNK_NEWER = 24;
  public static final int CHUNK_USED = 32;

  /// In place of a chunk's lines and used slots.
  public static final int LARGE_BYTES = CHUNK_LINES, LARGE_LENGTHS = CHUNK_USED;

  /// In place of a size class.
  public static final int LARGE_CLASS = 31;

  public static final int SEGMENT_DEPTH = 0;
  public static final int SEGMENT_LINES = 63;
  public static final int SEGMENT_BYTES = SEGMENT_LINES * LINE_BYTES;
  public static final int BUCKETS = (SEGMENT_LINES - 1) / 2;
  public static final int BUCKET_WORDS = 2 * LINE_BYTES / WORD_BYTES;
  public static final int BUCKET_BYTES = BUCKET_WORDS * WORD_BYTES;

  /// Of an index word's 64 bits, 42 are a slot's line: 2^48 bytes.
  public static final int LINE_BITS = 42;

  /// A directory goes by bits that index words have; two are left to tell keys apart.
  public static final int DEPTH_MAX = 64 - LINE_BITS - 2;

  /// The longest entry, key and value together, in bytes: arrays end at 2^31, and there is one for
  /// what a caller gives, one for the value before it, and room for what they are made of.
  public static final int ENTRY_MAX = 1 << 28;

  /// Entries of a batch: `Batches`.
  public static final int BATCH_MAX = 255;

  public static final int META = 0;

  /// In a slot that is dense: where key and value, a free slot's next one, and PLACE are.
  public static final int DENSE_PAYLOAD = 8, DENSE_NEXT = 8, DENSE_PLACE = 56;

  /// Bytes of key and value that are short, and what of these the first line has.
  public static final int DENSE_SHORT_MAX = 116, DENSE_SHORT_ROOM = 53;

  /// In another.
  public static final int WIDE_LENGTHS = 8, WIDE_PLACE = 16, WIDE_PAYLOAD = 24;

  public static final int FURTHER_LINE_PAYLOAD = LINE_BYTES - 1;

  /// The highest number of a slot in its chunk, all bits.
  public static final int NUMBER_MAX = (1 << 10) - 1;

  /// The highest version that an opening accepts, half of what META holds: 28 years of ten million
  /// operations a second on one stripe.
  public static final long VERSION_MAX = 1L << 53;

  private static final int VERSION_SHIFT = 10;
  private static final int COUNT_SHIFT = 1;
  private static final int PLACE_CLASS_SHIFT = 10;
  private static final long PLACE = (1 << 15) - 1;
  private static final int WIDE_NEXT_SHIFT = 22;

  private static final int SHORT_NUMBER_SHIFT = 40, SHORT_VALUE_SHIFT = 50, SHORT_KEY_SHIFT = 57;

  /// The bits of a short slot's word that are key's or value's.
  private static final long DENSE_SHORT_PAYLOAD = (1L << SHORT_NUMBER_SHIFT) - 1;

  /// No length of a short entry.
  private static final long SHORT_LENGTH = 127;

  private static final int LONG_KEY_SHIFT = 15, LONG_VALUE_SHIFT = 30;
  private static final long LONG_LENGTH = (1 << 15) - 1;

  public static long classAt(long stripe, int sizeClass) {
    return stripe + CLASSES + (long) sizeClass * CLASS_BYTES;
  }

  public static long meta(long version, int count, long polarity) {
    return version << VERSION_SHIFT | (long) count << COUNT_SHIFT | polarity;
  }

  public static long version(long meta) {
    return meta >>> VERSION_SHIFT;
  }

  /// How many entries the batch has that an entry belongs to; 1 if none.
  public static int count(long meta) {
    return (int) (meta >>> COUNT_SHIFT) & 0xff;
  }

  public static long polarity(long meta) {
    return meta & 1;
  }

  public static long indexWord(long hash, long slot) {
    return hash >>> LINE_BITS << LINE_BITS | slot / LINE_BYTES;
  }

  public static long slotOf(long indexWord) {
    return (indexWord & (1L << LINE_BITS) - 1) * LINE_BYTES;
  }

  /// Whether an index word can be of a key with a hash.
  public static boolean matches(long indexWord, long hash) {
    return (indexWord ^ hash) >>> LINE_BITS == 0 && indexWord != 0;
  }

  /// All ones if an index word can be of a key with a hash, or is empty and the hash begins with
  /// zeros; else 0. Without a branch.
  public static long matchMask(long indexWord, long hash) {
    return ((indexWord ^ hash) >>> LINE_BITS) - 1 >> Long.SIZE - 1;
  }

  /// A PLACE: which slot of its chunk one is, and of which size.
  public static long place(int sizeClass, int number) {
    return (long) sizeClass << PLACE_CLASS_SHIFT | number;
  }

  /// The word that has PLACE and the next free slot, in a slot that is not dense.
  static long wide(long place, long next) {
    return place | next / LINE_BYTES << WIDE_NEXT_SHIFT;
  }

  static long wideNext(long word) {
    return (word >>> WIDE_NEXT_SHIFT) * LINE_BYTES;
  }

  /// The PLACE in such a word, or in one of a dense slot that is not short.
  static long placeOnly(long word) {
    return word & PLACE;
  }

  /// The word that has PLACE and lengths in a dense slot; if it is short, for the bytes from bit
  /// SHORT_NUMBER_SHIFT on alone. In a large block the lengths mean nothing there.
  static long dense(long place, long lengths) {
    long key = keyLength(lengths);
    long value = valueLength(lengths);
    return classOf(place) <= 1
        ? (place & NUMBER_MAX) << SHORT_NUMBER_SHIFT
            | value << SHORT_VALUE_SHIFT
            | key << SHORT_KEY_SHIFT
        : place | key << LONG_KEY_SHIFT | value << LONG_VALUE_SHIFT | ~0L << SHORT_KEY_SHIFT;
  }

  /// The same with the lengths of no entry, but of one that there could be.
  static long denseFree(long place) {
    return dense(place, classOf(place) == 1 ? lengths(0, DENSE_SHORT_MAX) : 0);
  }

  /// The word of a dense slot with other lengths; what key or value have in it stays.
  ///
  /// @param before the word as it is
  static long dense(long before, long place, long lengths) {
    long word = dense(place, lengths);
    return isDenseShort(word) ? word | before & DENSE_SHORT_PAYLOAD : word;
  }

  static boolean isDenseShort(long word) {
    return word >>> SHORT_KEY_SHIFT != SHORT_LENGTH;
  }

  static boolean isDenseLarge(long word) {
    return !isDenseShort(word) && classOf(word) == LARGE_CLASS;
  }

  static long densePlace(long word) {
    if (!isDenseShort(word)) {
      return placeOnly(word);
    }
    long payload = (word >>> SHORT_KEY_SHIFT) + (word >>> SHORT_VALUE_SHIFT & SHORT_LENGTH);
    return place(
        payload > DENSE_SHORT_ROOM ? 1 : 0, (int) (word >>> SHORT_NUMBER_SHIFT) & NUMBER_MAX);
  }

  static long denseLengths(long word) {
    return isDenseShort(word)
        ? (word >>> SHORT_VALUE_SHIFT & SHORT_LENGTH) << 32 | word >>> SHORT_KEY_SHIFT
        : (word >>> LONG_VALUE_SHIFT & LONG_LENGTH) << 32 | word >>> LONG_KEY_SHIFT & LONG_LENGTH;
  }

  public static int classOf(long place) {
    return (int) (place >>> PLACE_CLASS_SHIFT) & LARGE_CLASS;
  }

  /// The chunk that a slot belongs to.
  public static long chunkOf(long slot, long place) {
    long number = place & NUMBER_MAX;
    return slot - LINE_BYTES - number * SlotClass.bytes(classOf(place));
  }

  /// Where a stripe counts its entries after the operation of a version.
  public static long countAt(long stripe, long version) {
    return stripe + COUNT + (version & 1) * WORD_BYTES;
  }

  public static int keyLength(long lengths) {
    return (int) lengths;
  }

  public static int valueLength(long lengths) {
    return (int) (lengths >>> 32);
  }

  public static long lengths(int key, int value) {
    return (long) value << 32 | key;
  }

  public static long bump(long slot, int left) {
    return slot / LINE_BYTES << 16 | left;
  }

  public static long bumpSlot(long bump) {
    return (bump >>> 16) * LINE_BYTES;
  }

  public static int bumpLeft(long bump) {
    return (int) (bump & 0xffff);
  }

  private MapLayout() {}
}
