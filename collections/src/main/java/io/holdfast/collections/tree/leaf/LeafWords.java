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

  /// In order when they are selected. If they are packed, each is how much greater than the least
  /// one it is, and in its low bits where its value is; else its value is at the same index.
  private final long[] keys;

  private final long[] values;
  private boolean arePacked;
  private int size;
  private long least;
  private long greatest;

  private LeafWords(int most) {
    this.keys = new long[most];
    this.values = new long[most];
  }

  /// The entries from a key on.
  ///
  /// @param from `null` for all
  /// @return `null` if there is an entry of another form
  static LeafWords read(LeafCopy copy, Encoded from, boolean inclusive, boolean ascending) {
    long live = copy.live();
    LeafWords words = new LeafWords(Long.bitCount(live));
    boolean isPart = from != null;
    long bound = isPart ? from.word() : 0;
    int size = 0;
    long least = Long.MAX_VALUE;
    long greatest = Long.MIN_VALUE;
    for (; live != 0; live &= live - 1) {
      int place = copy.place(Long.numberOfTrailingZeros(live));
      int at = LeafCopy.offset(place);
      if ((copy.word(at) & ~GONE_MASK) != RECORD || place > TreeLayout.WORDS - RECORD_WORDS) {
        return null;
      }
      long key = copy.word(at + WORD_BYTES); // of three words, in one line
      if (isPart && (key == bound ? !inclusive : key > bound != ascending)) {
        continue;
      }
      words.keys[size] = key;
      words.values[size] = copy.word(at + 2 * WORD_BYTES);
      size++;
      least = Math.min(least, key);
      greatest = Math.max(greatest, key);
    }
    words.size = size;
    words.least = least;
    words.greatest = greatest;
    return words;
  }

  /// Sorts them: those from a key on were selected when they were read.
  @Override
  public void select(KeyOrder unused, Encoded from, boolean inclusive, boolean ascending) {
    arePacked = greatest - least >>> Long.SIZE - 1 - SLOT_BITS == 0; // else it may overflow
    if (arePacked) {
      pack();
    } else {
      sort();
    }
    if (!ascending) {
      reverse(keys);
      if (!arePacked) {
        reverse(values);
      }
    }
  }

  /// Sorts keys that are near each other, as those of one leaf are where there are many: each with
  /// where its value is in one word.
  private void pack() {
    int inOrder = 0;
    long before = -1;
    for (int i = 0; i < size; i++) {
      long packed = keys[i] - least << SLOT_BITS | i;
      keys[i] = packed;
      inOrder += inOrder == i && packed > before ? 1 : 0;
      before = packed;
    }
    if (inOrder < size) {
      merge(inOrder);
    }
  }

  /// Sorts what is behind entries that are in order: those that came since the leaf was made.
  private void merge(int inOrder) {
    long[] later = Arrays.copyOfRange(keys, inOrder, size);
    Arrays.sort(later);
    int at = inOrder - 1;
    int to = size - 1;
    for (int i = later.length - 1; i >= 0; to--) {
      boolean isGreater = at >= 0 && keys[at] > later[i];
      keys[to] = isGreater ? keys[at--] : later[i--];
    }
  }

  /// Sorts others by insertion, each with its value.
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
    long key = keys[Objects.checkIndex(index, size)];
    return arePacked ? least + (key >>> SLOT_BITS) : key;
  }

  @Override
  public long valueWord(int index) {
    Objects.checkIndex(index, size);
    return values[arePacked ? (int) keys[index] & SLOTS - 1 : index];
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
