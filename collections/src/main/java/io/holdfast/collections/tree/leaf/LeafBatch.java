package io.holdfast.collections.tree.leaf;

import static io.holdfast.collections.tree.node.TreeLayout.SLOTS;
import static io.holdfast.collections.tree.node.TreeLayout.WORDS;
import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;

import io.holdfast.codec.Encoded;
import io.holdfast.codec.EncodedEntry;
import io.holdfast.collections.tree.leaf.LeafImage.Item;
import io.holdfast.collections.tree.node.TreeLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/// Entries that are to come into a tree together, in leaves that are as full as can be.
///
/// Confined to a thread.
public final class LeafBatch {
  /// What the leaves may take in an inner node: half of one.
  private static final int CHILDREN_BYTES_MAX = TreeLayout.INNER_BYTES_MAX / 2;

  /// What values in blocks of their own may take of memory.
  private static final long VALUES_BYTES_MAX = 1 << 20;

  /// Entries of a leaf, and how much of it they take.
  private static final class Content {
    final List<Item> items = new ArrayList<>();
    private Prefix prefix = Prefix.NONE;
    private int tail;

    /// @return false if there is no room
    boolean add(Item item) {
      if (items.size() == SLOTS || prefix.packed(tail, item) > WORDS && !hasRoomYet(item)) {
        return false;
      }
      tail = prefix.packed(tail, item);
      items.add(item);
      return true;
    }

    /// With another prefix there may be some.
    private boolean hasRoomYet(Item item) {
      items.add(item);
      Prefix other = Prefix.of(items, prefix);
      items.removeLast();
      int with = other.packed(items);
      if (other.packed(with, item) > WORDS) {
        return false;
      }
      prefix = other;
      tail = with;
      return true;
    }
  }

  private final List<Content> leaves = new ArrayList<>();
  private int childrenBytes;
  private long valuesBytes;
  private int entries;

  /// Takes one more entry, which belongs after the others.
  ///
  /// @return false if there is no room
  public boolean add(EncodedEntry entry) {
    Item item = Item.of(entry.key(), entry.value());
    if (item.isOutside() && valuesBytes >= VALUES_BYTES_MAX) {
      return false;
    }
    if (leaves.isEmpty() || !leaves.getLast().add(item)) {
      int child = (2 + TreeLayout.wordsOf(item.key().length())) * WORD_BYTES;
      if (childrenBytes + child > CHILDREN_BYTES_MAX) {
        return false;
      }
      childrenBytes += child;
      Content content = new Content();
      content.add(item);
      leaves.add(content);
    }
    valuesBytes += item.isOutside() ? item.valueLength() : 0;
    entries++;
    return true;
  }

  public int entries() {
    return entries;
  }

  public Encoded firstKey() {
    return leaves.getFirst().items.getFirst().key();
  }

  /// Calls a visitor with each key and its value.
  public void forEach(BiConsumer<Encoded, Encoded> visitor) {
    for (Content leaf : leaves) {
      leaf.items.forEach(item -> visitor.accept(item.key(), item.stored()));
    }
  }

  /// Receives each leaf.
  interface Visitor {
    /// @param prefix with which there is room for them
    void visit(List<Item> items, Prefix prefix);
  }

  void forEachLeaf(Visitor visitor) {
    leaves.forEach(leaf -> visitor.visit(leaf.items, leaf.prefix));
  }
}
