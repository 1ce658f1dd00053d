package io.holdfast.collections.tree.leaf;

import static io.holdfast.collections.tree.node.TreeLayout.KEY_MAX;
import static io.holdfast.collections.tree.node.TreeLayout.KIND_ENTRY;
import static io.holdfast.collections.tree.node.TreeLayout.KIND_OUTSIDE;
import static io.holdfast.collections.tree.node.TreeLayout.LEAF_BYTES;
import static io.holdfast.collections.tree.node.TreeLayout.LINE_WORDS;
import static io.holdfast.collections.tree.node.TreeLayout.WORDS;
import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.tree.node.Torn;
import io.holdfast.collections.tree.node.TreeLayout;

/// Where records are read from: leaves in memory, or a copy of one. What is there may be torn.
interface RecordSource {
  long word(long offset);

  void bytes(long offset, byte[] into, int at, int length);

  /// The header of an entry's record.
  ///
  /// @throws Torn if it can't be one
  default long header(long leaf, int place) {
    if (place >= WORDS) {
      throw Torn.TORN;
    }
    long header = word(TreeLayout.at(leaf, place));
    if (!isPlausible(place, header)) {
      throw Torn.TORN;
    }
    return header;
  }

  static boolean isPlausible(int place, long header) {
    int kind = TreeLayout.kind(header);
    int value = TreeLayout.valueLength(header);
    return (kind == KIND_ENTRY || kind == KIND_OUTSIDE)
        && TreeLayout.keyLength(header) <= KEY_MAX
        && value >= 0
        && (kind == KIND_OUTSIDE || value <= LEAF_BYTES)
        && place + TreeLayout.words(header) <= WORDS;
  }

  /// The key of an entry's record.
  default Encoded key(long leaf, int place) {
    long header = header(leaf, place);
    int own = TreeLayout.keyLength(header);
    if (!TreeLayout.isShort(header)) {
      return read(leaf, place + 1, own);
    }
    long prefix = prefixHeader(leaf);
    int common = TreeLayout.keyLength(prefix);
    int before = TreeLayout.valueLength(prefix);
    if (before > own) {
      throw Torn.TORN;
    }
    byte[] key = new byte[own + common];
    read(leaf, place + 1, key, common, own);
    System.arraycopy(key, common, key, 0, before);
    read(leaf, 1, key, before, common);
    return Encoded.of(key);
  }

  /// How long that is.
  default int keyLength(long leaf, long header) {
    int common = TreeLayout.isShort(header) ? TreeLayout.keyLength(prefixHeader(leaf)) : 0;
    return common + TreeLayout.keyLength(header);
  }

  private long prefixHeader(long leaf) {
    long header = word(TreeLayout.at(leaf, 0));
    if (!Prefix.isPlausible(header)) {
      throw Torn.TORN;
    }
    return header;
  }

  /// What keys of a leaf have in common (PREFIX-1).
  default Prefix prefix(long leaf) {
    long header = word(TreeLayout.at(leaf, 0));
    return Prefix.isPlausible(header)
        ? new Prefix(TreeLayout.valueLength(header), read(leaf, 1, TreeLayout.keyLength(header)))
        : Prefix.NONE;
  }

  /// What is stored as an entry's value: the value, or where its block is.
  default Encoded stored(long leaf, int place) {
    return stored(leaf, place, header(leaf, place));
  }

  default Encoded stored(long leaf, int place, long header) {
    int at = place + 1 + TreeLayout.wordsOf(TreeLayout.keyLength(header));
    return read(leaf, at, TreeLayout.storedLength(header));
  }

  private Encoded read(long leaf, int place, int length) {
    if (length == WORD_BYTES) {
      return Encoded.of(word(TreeLayout.at(leaf, place)));
    }
    byte[] bytes = new byte[length];
    read(leaf, place, bytes, 0, length);
    return Encoded.of(bytes);
  }

  private void read(long leaf, int place, byte[] into, int at, int length) {
    int from = place;
    for (int done = 0; done < length; ) {
      int words = LINE_WORDS - from % LINE_WORDS;
      int part = Math.min(length - done, words * WORD_BYTES);
      bytes(TreeLayout.at(leaf, from), into, at + done, part);
      done += part;
      from += words;
    }
  }
}
