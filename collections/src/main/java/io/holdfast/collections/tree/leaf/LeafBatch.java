package io.holdfast.collections.tree.leaf;

import static io.holdfast.collections.tree.node.TreeLayout.SLOTS;
import static io.holdfast.collections.tree.node.TreeLayout.WORDS;
import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;

import io.holdfast.codec.Encoded;
import io.holdfast.codec.EncodedEntry;
import io.holdfast.collections.tree.leaf.LeafImage.Item;
import io.holdfast.collections.tree.node.StructureChange;
import io.holdfast.collections.tree.node.TreeLayout;
import io.holdfast.core.memory.Memory;
import java.util.ArrayList;
import java.util.List;

/// Entries that are to come into a tree together, in leaves that are as full as can be.
///
/// Confined to a thread.
public final class LeafBatch {
  /// What the leaves may take in an inner node: half of one.
  private static final int CHILDREN_BYTES_MAX = TreeLayout.INNER_BYTES_MAX / 2;

  /// What values in blocks of their own may take of memory.
  private static final long VALUES_BYTES_MAX = 1 << 20;

  private final List<List<EncodedEntry>> leaves = new ArrayList<>();
  private int tail;
  private int childrenBytes;
  private long valuesBytes;
  private int entries;

  /// Takes one more entry, which belongs after the others.
  ///
  /// @return false if there is no room
  public boolean add(EncodedEntry entry) {
    int key = entry.key().length();
    int value = entry.value().length();
    boolean isInside = TreeLayout.isInside(key, value);
    int stored = isInside ? value : WORD_BYTES;
    int words = 1 + TreeLayout.wordsOf(key) + TreeLayout.wordsOf(stored);
    int place = TreeLayout.place(tail, words);
    boolean begins = leaves.isEmpty() || place + words > WORDS || leaves.getLast().size() == SLOTS;
    int child = begins ? (2 + TreeLayout.wordsOf(key)) * WORD_BYTES : 0;
    boolean fits =
        childrenBytes + child <= CHILDREN_BYTES_MAX && (isInside || valuesBytes < VALUES_BYTES_MAX);
    if (!fits) {
      return false;
    }
    if (begins) {
      leaves.add(new ArrayList<>());
      place = 0;
    }
    leaves.getLast().add(entry);
    tail = place + words;
    childrenBytes += child;
    valuesBytes += isInside ? 0 : value;
    entries++;
    return true;
  }

  public int entries() {
    return entries;
  }

  public Encoded firstKey() {
    return leaves.getFirst().getFirst().key();
  }

  public List<List<EncodedEntry>> leaves() {
    return leaves;
  }

  /// An entry as it is stored.
  ///
  /// @param change gives blocks to values that are too long for a leaf
  static Item item(EncodedEntry entry, Memory memory, StructureChange change) {
    Encoded key = entry.key();
    Encoded value = entry.value();
    if (TreeLayout.isInside(key.length(), value.length())) {
      return Item.of(key, value);
    }
    long block = change.allocate(value.length());
    memory.writeBytesPlain(block, value.bytes(), 0, value.length());
    return new Item(TreeLayout.KIND_OUTSIDE, key, Encoded.of(block), value.length());
  }
}
