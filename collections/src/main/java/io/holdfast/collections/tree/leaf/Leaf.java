package io.holdfast.collections.tree.leaf;

import static io.holdfast.collections.tree.node.TreeLayout.FILLED;
import static io.holdfast.collections.tree.node.TreeLayout.FINGERPRINTS;
import static io.holdfast.collections.tree.node.TreeLayout.KIND_OUTSIDE;
import static io.holdfast.collections.tree.node.TreeLayout.LIVE;
import static io.holdfast.collections.tree.node.TreeLayout.PLACES;
import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.tree.node.KeyOrder;
import io.holdfast.collections.tree.node.Torn;
import io.holdfast.collections.tree.node.TreeLayout;
import io.holdfast.core.memory.Memory;

/// Reads leaves, and stores their hints. Whatever a leaf holds, nothing is followed out of it but
/// the block of a long value.
///
/// Thread-safe as memory is: a thread that reads without the leaf's lock looks at its seqlock
/// before and after (TREE-5), one that stores hints holds the lock.
public final class Leaf implements RecordSource {
  private static final long LOW_BITS = 0x7f7f_7f7f_7f7f_7f7fL;
  private static final long ONES = 0x0101_0101_0101_0101L;

  private final Memory memory;
  private final KeyOrder order;

  /// @param memory without an order of its own
  public Leaf(Memory memory, KeyOrder order) {
    this.memory = memory;
    this.order = order;
  }

  /// A byte by which most other keys are told from one; the same for all where keys can be level
  /// without having the same bytes.
  public int fingerprint(Encoded key) {
    if (!order.isExact()) {
      return 0;
    }
    long hash = key.length() == WORD_BYTES ? key.word() : key.hashCode();
    return (int) (hash * 0x9E3779B97F4A7C15L >>> 56);
  }

  /// A copy of what a leaf holds.
  LeafCopy copy(long leaf) {
    LeafCopy copy = new LeafCopy();
    copy(leaf, copy);
    return copy;
  }

  void copy(long leaf, LeafCopy into) {
    into.fill(memory, leaf);
  }

  @Override
  public long word(long offset) {
    return memory.readPlain(offset);
  }

  @Override
  public void bytes(long offset, byte[] into, int at, int length) {
    memory.readBytes(offset, into, at, length);
  }

  public long epoch(long leaf) {
    return memory.readPlain(leaf);
  }

  public long live(long leaf) {
    return memory.readPlain(leaf + LIVE);
  }

  public int tail(long leaf) {
    return TreeLayout.tail(memory.readPlain(leaf + FILLED));
  }

  public int liveWords(long leaf) {
    return TreeLayout.liveWords(memory.readPlain(leaf + FILLED));
  }

  public int place(long leaf, int slot) {
    long word = memory.readPlain(leaf + PLACES + (slot & -WORD_BYTES));
    return (int) (word >>> (slot % WORD_BYTES) * Byte.SIZE) & 0xff;
  }

  /// The slot of a key.
  ///
  /// @return -1 if it is not there
  public int find(long leaf, Encoded key, int fingerprint) {
    long live = live(leaf);
    for (int i = 0; i < WORD_BYTES; i++) {
      int used = (int) (live >>> i * Byte.SIZE) & 0xff;
      long different =
          memory.readPlain(leaf + FINGERPRINTS + (long) i * WORD_BYTES) ^ fingerprint * ONES;
      long same = ~((different & LOW_BITS) + LOW_BITS | different | LOW_BITS);
      for (; same != 0; same &= same - 1) {
        int at = Long.numberOfTrailingZeros(same) / Byte.SIZE;
        int slot = i * WORD_BYTES + at;
        if ((used >>> at & 1) != 0 && hasKey(leaf, place(leaf, slot), key)) {
          return slot;
        }
      }
    }
    return -1;
  }

  private boolean hasKey(long leaf, int place, Encoded key) {
    long header = header(leaf, place);
    if (!order.isExact()) {
      return order.compare(key(leaf, place), key) == 0;
    }
    if (keyLength(leaf, header) != key.length()) {
      return false;
    }
    if (TreeLayout.isShort(header) || key.length() > WORD_BYTES * (TreeLayout.LINE_WORDS - 1)) {
      return key(leaf, place).equals(key);
    }
    long at = TreeLayout.at(leaf, place + 1); // a shorter key is in its record's first line
    return key.length() == WORD_BYTES
        ? memory.readPlain(at) == key.word()
        : memory.hasBytes(at, key.bytes(), key.length());
  }

  /// The value of an entry's record.
  ///
  /// @param isLocked whether the caller has the leaf's lock; without it the length of a value of
  ///   its own block could be anything, and nothing is allocated for that
  public Encoded value(long leaf, int place, boolean isLocked) {
    long header = header(leaf, place);
    int length = TreeLayout.valueLength(header);
    if (TreeLayout.kind(header) != KIND_OUTSIDE) {
      return stored(leaf, place, header);
    }
    long block = stored(leaf, place, header).word();
    if (!isLocked || block < 0 || block > memory.length() - length) {
      throw Torn.TORN;
    }
    byte[] bytes = new byte[length];
    memory.readBytes(block, bytes, 0, length);
    return Encoded.of(bytes, length);
  }

  // Hints

  /// Makes hints say that a slot has a record.
  void setSlot(long leaf, int slot, int fingerprint, int place) {
    setByte(leaf + FINGERPRINTS, slot, fingerprint);
    setByte(leaf + PLACES, slot, place);
    memory.writePlain(leaf + LIVE, live(leaf) | 1L << slot);
  }

  void clearSlot(long leaf, int slot) {
    memory.writePlain(leaf + LIVE, live(leaf) & ~(1L << slot));
  }

  void setFilled(long leaf, int tail, int liveWords) {
    memory.writePlain(leaf + FILLED, TreeLayout.filled(tail, liveWords));
  }

  private void setByte(long bytes, int at, int value) {
    long word = bytes + (at & -WORD_BYTES);
    int shift = at % WORD_BYTES * Byte.SIZE;
    long others = memory.readPlain(word) & ~(0xffL << shift);
    memory.writePlain(word, others | (long) value << shift);
  }
}
