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

  private long[] keys;
  private long[] values;
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
  public void select(KeyOrder order, Encoded from, boolean inclusive, boolean ascending) {
    int selected = 0;
    long least = Long.MAX_VALUE;
    long greatest = Long.MIN_VALUE;
    for (int i = 0; i < size; i++) {
      long key = keys[i];
      if (from == null || isBehind(Long.compare(key, from.word()), inclusive, ascending)) {
        values[selected] = values[i];
        keys[selected++] = key;
        least = Math.min(least, key);
        greatest = Math.max(greatest, key);
      }
    }
    size = selected;
    boolean isNarrow = greatest - least >>> Long.SIZE - 1 - SLOT_BITS == 0; // or it overflows
    if (isNarrow) {
      sortPacked(least);
    } else if (size > 1) {
      sort();
    }
    if (!ascending) {
      reverse(keys);
      reverse(values);
    }
  }

  /// Sorts keys that are near each other, as those of one leaf are where there are many: each with
  /// where its value is in one word.
  private void sortPacked(long least) {
    long[] packed = new long[size];
    for (int i = 0; i < size; i++) {
      packed[i] = keys[i] - least << SLOT_BITS | i;
    }
    Arrays.sort(packed);
    long[] sorted = new long[size];
    for (int i = 0; i < size; i++) {
      keys[i] = (packed[i] >> SLOT_BITS) + least;
      sorted[i] = values[(int) packed[i] & SLOTS - 1];
    }
    values = sorted;
  }

  private void sort() {
    for (int i = 1; i < size; i++) {
      long key = keys[i];
      long value = values[i];
      int at = i;
      for (; at > 0 && keys[at - 1] > key; at--) {
        keys[at] = keys[at - 1];
        values[at] = values[at - 1];
      }
      keys[at] = key;
      values[at] = value;
    }
  }

  private void reverse(long[] words) {
    for (int i = 0, j = size - 1; i < j; i++, j--) {
      long word = words[i];
      words[i] = words[j];
      words[j] = word;
    }
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
    return keys[Objects.checkIndex(index, size)];
  }

  @Override
  public long valueWord(int index) {
    return values[Objects.checkIndex(index, size)];
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
