package io.holdfast.collections.tree.leaf;

import static io.holdfast.collections.tree.node.TreeLayout.KEY_MAX;
import static io.holdfast.collections.tree.node.TreeLayout.KIND_PREFIX;
import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.tree.leaf.LeafImage.Item;
import io.holdfast.collections.tree.node.TreeLayout;
import java.util.Arrays;
import java.util.List;

/// What keys of a leaf have in common, and it keeps once.
///
/// **PREFIX-1** A leaf's prefix is its first record, which is stored before the leaf is in the tree
/// and never changes. Keys that begin like the others are stored without it, all others whole.
/// Test: TreeCrashTest.prefix1KeysThatBeginAlike.
///
/// @param before how many bytes of a key come before it: a string's length, say
record Prefix(int before, Encoded common) {
  static final Prefix NONE = new Prefix(0, Encoded.of(new byte[0]));

  /// A string's length takes up to two bytes.
  private static final int BEFORE_MAX = 2;

  /// Whether a leaf's first word can be the header of one.
  static boolean isPlausible(long header) {
    int before = TreeLayout.valueLength(header);
    return TreeLayout.kind(header) == KIND_PREFIX
        && before >= 0
        && before <= BEFORE_MAX
        && TreeLayout.keyLength(header) <= KEY_MAX;
  }

  long header() {
    return TreeLayout.header(KIND_PREFIX, TreeLayout.NONE, common.length(), before);
  }

  int words() {
    return common.length() == 0 ? 0 : TreeLayout.words(header());
  }

  boolean covers(Encoded key) {
    int end = before + common.length();
    return key.length() >= end
        && Arrays.equals(key.bytes(), before, end, common.bytes(), 0, common.length());
  }

  /// An entry as it is stored in a leaf that has this prefix.
  Item shortened(Item item) {
    Encoded key = item.key();
    if (common.length() == 0 || !covers(key)) {
      return item;
    }
    byte[] own = new byte[key.length() - common.length()];
    System.arraycopy(key.bytes(), 0, own, 0, before);
    int end = before + common.length();
    System.arraycopy(key.bytes(), end, own, before, own.length - before);
    return new Item(
        item.kind() | TreeLayout.SHORT, Encoded.of(own), item.stored(), item.valueLength());
  }

  private int words(Item item) {
    int length = item.key().length();
    int saved =
        common.length() > 0 && covers(item.key())
            ? TreeLayout.wordsOf(length) - TreeLayout.wordsOf(length - common.length())
            : 0;
    return item.words() - saved;
  }

  /// How many words of a leaf are taken when an entry follows others.
  int packed(int tail, Item item) {
    int words = words(item);
    return TreeLayout.place(tail, words) + words;
  }

  /// The same of a whole leaf.
  int packed(List<Item> items) {
    int tail = words();
    for (Item item : items) {
      tail = packed(tail, item);
    }
    return tail;
  }

  /// The one with which entries take least.
  ///
  /// @param items in the order of their keys, so that those in between are likely to share what two
  ///   do; an odd one may be at either end
  /// @param least another one that may do
  static Prefix of(List<Item> items, Prefix least) {
    if (items.isEmpty()) {
      return NONE;
    }
    Encoded first = items.getFirst().key();
    Encoded middle = items.get(items.size() / 2).key();
    Encoded last = items.getLast().key();
    return least
        .orBetter(NONE, items)
        .orBetter(common(first, last), items)
        .orBetter(common(first, middle), items)
        .orBetter(common(middle, last), items);
  }

  private Prefix orBetter(Prefix other, List<Item> items) {
    return !other.equals(this) && other.packed(items) < packed(items) ? other : this;
  }

  private static Prefix common(Encoded one, Encoded other) {
    int length = Math.min(one.length(), other.length());
    int best = 0;
    int from = 0;
    for (int before = 0; before <= BEFORE_MAX && before + best < length; before++) {
      int differs = Arrays.mismatch(one.bytes(), before, length, other.bytes(), before, length);
      int common = differs < 0 ? length - before : differs;
      if (common > best) {
        best = common;
        from = before;
      }
    }
    return best < WORD_BYTES
        ? NONE
        : new Prefix(from, Encoded.of(Arrays.copyOfRange(one.bytes(), from, from + best)));
  }
}
