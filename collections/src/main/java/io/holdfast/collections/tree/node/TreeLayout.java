package io.holdfast.collections.tree.node;

import static io.holdfast.core.memory.RegionLayout.LINE_BYTES;
import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;

/// A tree on media, format version 1: a root block, inner nodes, leaves, and blocks of values that
/// are too long for a leaf.
///
/// Root block, a line:
///
/// | offset | content |
/// |---|---|
/// | 0 | TOP: the top node; its height in the low 6 bits, 0 for a leaf. 0: no node |
/// | 8 | OPENINGS: the epoch of hints, another one with each opening; 0 before the first |
/// | 16 | GARBAGE: a top that was cleared and is not yet freed, as TOP |
///
/// Inner node, as long as it needs, at most 63 lines:
///
/// | offset | content |
/// |---|---|
/// | 0 | COUNT: children, n |
/// | 8 | BYTES: of the node |
/// | 16 | n children |
/// | behind | n - 1 separators: where it begins in the node, its length above bit 32 |
/// | behind | their bytes, each from a word on |
///
/// Keys of child i are not less than separator i - 1, and less than separator i.
///
/// Leaf, 34 lines. The first three are hints, made anew in each opening when somebody comes by:
///
/// | offset | content |
/// |---|---|
/// | 0 | EPOCH: in which opening the hints were made |
/// | 8 | LIVE: a bit for each slot that has a live record |
/// | 16 | FILLED: TAIL, the place of the next record; words of live records from bit 16 on |
/// | 64 | FINGERPRINTS: a byte for each of 64 slots |
/// | 128 | PLACES: a byte for each slot, where its record is |
///
/// 31 lines of records follow. Word 0 of a line is META: how many of the seven words after it
/// count. A place is a number of such words, from 0 to 216.
///
/// Record: a header word, the key, the value; each from a word on. Up to seven words lie within a
/// line, more begin a line. A prefix is the first record of its leaf, and says what some keys have
/// in common (PREFIX-1): these bytes are its key, and its length of a value is how many bytes of
/// such a key come before them.
///
/// | bits of the header | content |
/// |---|---|
/// | 0 to 7 | KIND: 1 an entry, 5 one whose value is a block (its offset is here), 2 a removal, 4 a prefix; bit 3: the key is stored without the prefix |
/// | 8 to 15 | GONE: the record that it replaces or removes; 255: none |
/// | 16 to 31 | length of the key |
/// | 32 to 63 | length of the value |
///
/// **TREE-1** A record is whole if META of all its lines covers it. META is stored after the line's
/// other words, and only grows.
///
/// **TREE-2** After the last whole record META is 0, durably, before anything is appended.
///
/// **TREE-3** Hints count if EPOCH is the number of this opening; OPENINGS says it to tools.
///
/// **TREE-4** Of an inner node only a child's word is ever stored to. A change of the structure
/// stores one word of what there was, in a section.
///
/// **TREE-5** What a reader found counts if the seqlocks on its way are even and unchanged, each
/// node's read before its parent's is looked at again.
///
/// **TREE-6** A thread that has read or changes a leaf observes its lock's uncommitted releases,
/// and the structure's.
///
/// **TREE-9** A leaf below a node has a record, be it dead: one of zeros was damaged.
///
/// PREFIX-1 is in `Prefix`, TREE-7 and TREE-10 are in `TreeGarbage`, TREE-8 is in `TreeLoader`,
/// TREE-11 in `TreeEpoch`, RANK-1 in `SubtreeCounts`.
public final class TreeLayout {
  public static final int ROOT_TOP = 0, ROOT_OPENINGS = 8, ROOT_GARBAGE = 16;
  public static final int ROOT_BYTES = LINE_BYTES;

  public static final long HEIGHT_MASK = LINE_BYTES - 1;

  /// Each level but the top has at least two nodes when it is made: 2^16 leaves with the longest
  /// keys are fewer levels.
  public static final int HEIGHT_MAX = 24;

  public static final int INNER_COUNT = 0, INNER_BYTES = 8, INNER_CHILDREN = 16;

  /// A size of blocks that wastes nothing.
  public static final int INNER_BYTES_MAX = 63 * LINE_BYTES;

  public static final int EPOCH = 0, LIVE = 8, FILLED = 16, FINGERPRINTS = 64, PLACES = 128;
  public static final int HINT_LINES = 3;
  public static final int RECORD_LINES = 31;

  /// A size of blocks that wastes nothing: 34 lines.
  public static final int LEAF_BYTES = (HINT_LINES + RECORD_LINES) * LINE_BYTES;

  public static final int SLOTS = Long.SIZE;

  /// Words of a line that records can have.
  public static final int LINE_WORDS = LINE_BYTES / WORD_BYTES - 1;

  /// Words of a leaf that records can have.
  public static final int WORDS = RECORD_LINES * LINE_WORDS;

  /// The longest record: seven lines, so that a leaf has room for four.
  public static final int RECORD_WORDS_MAX = 7 * LINE_WORDS;

  /// The longest key, in bytes: an inner node has room for 14, a leaf for five.
  public static final int KEY_MAX = 256;

  /// The longest value, in bytes.
  public static final int VALUE_MAX = Integer.MAX_VALUE - 8;

  public static final int NONE = 255;

  public static final int KIND_ENTRY = 1, KIND_REMOVAL = 2, KIND_PREFIX = 4, KIND_OUTSIDE = 5;

  /// In the kind of an entry: its key is stored without the leaf's prefix.
  public static final int SHORT = 8;

  public static long header(int kind, int gone, int key, int value) {
    return (long) value << 32 | (long) key << 16 | (long) gone << 8 | kind;
  }

  public static int kind(long header) {
    return (int) header & 0xff & ~SHORT;
  }

  public static boolean isShort(long header) {
    return (header & SHORT) != 0;
  }

  public static int gone(long header) {
    return (int) header >>> 8 & 0xff;
  }

  /// How long what is stored of a key is.
  public static int keyLength(long header) {
    return (int) header >>> 16;
  }

  public static int valueLength(long header) {
    return (int) (header >>> 32);
  }

  /// How long what is stored as the value is.
  public static int storedLength(long header) {
    return kind(header) == KIND_OUTSIDE ? WORD_BYTES : valueLength(header);
  }

  public static int wordsOf(int bytes) {
    return (bytes + WORD_BYTES - 1) / WORD_BYTES;
  }

  /// Whether a value of a key lies in the leaf.
  public static boolean isInside(int key, int value) {
    return 1L + wordsOf(key) + (value + 7L) / WORD_BYTES <= RECORD_WORDS_MAX;
  }

  /// How many words a record has, by its header.
  public static int words(long header) {
    return switch (kind(header)) {
      case KIND_ENTRY -> 1 + wordsOf(keyLength(header)) + wordsOf(valueLength(header));
      case KIND_OUTSIDE -> 2 + wordsOf(keyLength(header));
      case KIND_PREFIX -> 1 + wordsOf(keyLength(header));
      default -> 1;
    };
  }

  /// Where the word of a place is.
  public static long at(long leaf, int place) {
    int line = place / LINE_WORDS;
    return lineAt(leaf, line) + WORD_BYTES * (1L + place - line * LINE_WORDS);
  }

  /// Where a line of records is; its META.
  public static long lineAt(long leaf, int line) {
    return leaf + (long) (HINT_LINES + line) * LINE_BYTES;
  }

  /// Where a record goes that is appended.
  public static int place(int tail, int words) {
    int used = tail % LINE_WORDS;
    boolean fits = used == 0 || used + words <= LINE_WORDS;
    return fits ? tail : tail - used + LINE_WORDS;
  }

  public static int tail(long filled) {
    return (int) filled & 0xffff;
  }

  public static int liveWords(long filled) {
    return (int) filled >>> 16;
  }

  public static long filled(int tail, int liveWords) {
    return (long) liveWords << 16 | tail;
  }

  private TreeLayout() {}
}
