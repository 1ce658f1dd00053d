package io.holdfast.collections.tree.leaf;

import static io.holdfast.collections.tree.node.TreeLayout.SLOTS;
import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.tree.node.KeyOrder;
import io.holdfast.collections.tree.node.TreeLayout;
import java.util.Arrays;
import java.util.Objects;

/// Entries whose keys and values are all words.
final class LeafWords extends LeafEntries {
  /// Of a slot, in a word that is sorted.
  private static final int SLOT_BITS = 6;

  private static final long RECORD =
      TreeLayout.header(TreeLayout.KIND_ENTRY, 0, WORD_BYTES, WORD_BYTES);
  private static final int RECORD_WORDS = TreeLayout.words(RECORD);
  private static final long GONE_MASK = 0xff00;

  private final long[] keys;
  private final long[] values;

  /// By rank, where an entry is in {@link #keys} and {@link #values}: in its low bits.
  private long[] order;

  private int size;

  private LeafWords(int size) {
    this.keys = new long[size];
    this.values = new long[size];
    this.size = size;
  }

  /// @return `null` if there is another entry
  static LeafWords read(LeafCopy copy) {
    long live = copy.live();
    LeafWords words = new LeafWords(Long.bitCount(live));
    for (int i = 0; live != 0; live &= live - 1, i++) {
      int place = copy.place(Long.numberOfTrailingZeros(live));
      int at = LeafCopy.offset(place);
      if ((copy.word(at) & ~GONE_MASK) != RECORD || place > TreeLayout.WORDS - RECORD_WORDS) {
        return null;
      }
      words.keys[i] = copy.word(at + WORD_BYTES); // of three words, in one line
      words.values[i] = copy.word(at + 2 * WORD_BYTES);
    }
    return words;
  }

  @Override
  public void select(KeyOrder unused, Encoded from, boolean inclusive, boolean ascending) {
    long[] selected = new long[size];
    int count = 0;
    long least = Long.MAX_VALUE;
    long greatest = Long.MIN_VALUE;
    for (int i = 0; i < size; i++) {
      long key = keys[i];
      if (from == null || isBehind(Long.compare(key, from.word()), inclusive, ascending)) {
        selected[count++] = i;
        least = Math.min(least, key);
        greatest = Math.max(greatest, key);
      }
    }
    size = count;
    order = selected;
    if (greatest - least >>> Long.SIZE - 1 - SLOT_BITS == 0) { // or it overflows
      sortPacked(least);
    } else {
      sort();
    }
    if (!ascending) {
      reverse();
    }
  }

  /// Sorts keys that are near each other, as those of one leaf are where there are many: each with
  /// where it is in one word.
  private void sortPacked(long least) {
    for (int i = 0; i < size; i++) {
      order[i] |= keys[(int) order[i]] - least << SLOT_BITS;
    }
    int inOrder = Math.min(1, size);
    while (inOrder < size && order[inOrder - 1] < order[inOrder]) {
      inOrder++;
    }
    if (inOrder < size) {
      merge(inOrder);
    }
  }

  /// Sorts what is behind entries that are in order: those that came since the leaf was made.
  private void merge(int inOrder) {
    long[] later = Arrays.copyOfRange(order, inOrder, size);
    Arrays.sort(later);
    int at = inOrder - 1;
    int to = size - 1;
    for (int i = later.length - 1; i >= 0; to--) {
      boolean isGreater = at >= 0 && order[at] > later[i];
      order[to] = isGreater ? order[at--] : later[i--];
    }
  }

  private void sort() {
    for (int i = 1; i < size; i++) {
      long sorted = order[i];
      long key = keys[(int) sorted];
      int at = i;
      for (; at > 0 && keys[(int) order[at - 1]] > key; at--) {
        order[at] = order[at - 1];
      }
      order[at] = sorted;
    }
  }

  private void reverse() {
    for (int i = 0, j = size - 1; i < j; i++, j--) {
      long word = order[i];
      order[i] = order[j];
      order[j] = word;
    }
  }

  private int at(int index) {
    return (int) order[Objects.checkIndex(index, size)] & SLOTS - 1;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public boolean areWords() {
    return true;
  }

  @Override
  public long keyWord(int index) {
    return keys[at(index)];
  }

  @Override
  public long valueWord(int index) {
    return values[at(index)];
  }

  @Override
  public Encoded key(int index) {
    return Encoded.of(keyWord(index));
  }

  @Override
  public Encoded value(int index) {
    return Encoded.of(valueWord(index));
  }
}
