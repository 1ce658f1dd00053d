package io.holdfast.collections.tree.node;

import static io.holdfast.collections.tree.node.TreeLayout.INNER_BYTES;
import static io.holdfast.collections.tree.node.TreeLayout.INNER_BYTES_MAX;
import static io.holdfast.collections.tree.node.TreeLayout.INNER_CHILDREN;
import static io.holdfast.collections.tree.node.TreeLayout.INNER_COUNT;
import static io.holdfast.core.memory.RegionLayout.LINE_BYTES;
import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;

import io.holdfast.codec.Encoded;
import io.holdfast.core.memory.Memory;

/// Reads inner nodes. Thread-safe as memory is (TREE-5).
public final class Inner {
  private final Memory memory;
  private final KeyOrder order;

  /// @param memory without an order of its own
  public Inner(Memory memory, KeyOrder order) {
    this.memory = memory;
    this.order = order;
  }

  KeyOrder order() {
    return order;
  }

  /// Which child of a node to go to.
  public enum Side {
    /// The one that has a key, if any has.
    AT,
    /// The one that has what is directly before a key.
    BEFORE,
    FIRST,
    LAST
  }

  /// @throws Torn if the node can't have so many
  public int count(long node) {
    if (!isInside(node, INNER_CHILDREN + WORD_BYTES)) {
      throw Torn.TORN;
    }
    long count = memory.readPlain(node + INNER_COUNT);
    long bytes = memory.readPlain(node + INNER_BYTES);
    if (count <= 0
        || count > INNER_BYTES_MAX // a greater one overflows below
        || bytes > INNER_BYTES_MAX
        || INNER_CHILDREN + (2 * count - 1) * WORD_BYTES > bytes
        || !isInside(node, bytes)) {
      throw Torn.TORN;
    }
    return (int) count;
  }

  /// Whether something that was read can be followed, though it may have been freed since.
  public boolean isInside(long offset, long bytes) {
    return offset > 0 && offset % LINE_BYTES == 0 && bytes <= memory.length() - offset;
  }

  /// The word that leads to a child.
  public static long childAt(long node, int i) {
    return node + INNER_CHILDREN + (long) i * WORD_BYTES;
  }

  public long child(long node, int i) {
    return memory.readAcquire(childAt(node, i));
  }

  public Encoded separator(long node, int count, int i) {
    long word = separatorWord(node, count, i);
    return KeyWords.key(memory, node + from(word), length(word));
  }

  private int compare(long node, int count, int i, Encoded key) {
    long word = separatorWord(node, count, i);
    return order.compare(memory, node + from(word), length(word), key);
  }

  private long separatorWord(long node, int count, int i) {
    long word = memory.readPlain(childAt(node, count + i));
    checkSeparator(word, INNER_BYTES_MAX);
    return word;
  }

  /// Where a separator begins in its node, by its word.
  static int from(long separator) {
    return (int) separator;
  }

  static int length(long separator) {
    return (int) (separator >>> 32);
  }

  /// @param word of a separator, as a node has it
  /// @throws Torn if it can't be in a node of a length
  static void checkSeparator(long word, int bytes) {
    int length = length(word);
    if (length < 0 || length > TreeLayout.KEY_MAX || (word & 0xffff_ffffL) + length > bytes) {
      throw Torn.TORN;
    }
  }

  /// The children of a node, to make others of.
  ///
  /// @throws Torn if it contradicts itself
  NodeChildren children(long node) {
    int count = count(node);
    return NodeChildren.of(memory, node, count, (int) memory.readPlain(node + INNER_BYTES));
  }

  int choose(long node, int count, Side side, Encoded key) {
    return switch (side) {
      case FIRST -> 0;
      case LAST -> count - 1;
      case AT -> order.isOfWords() ? chooseWord(node, count, key.word()) : search(node, count, key);
      case BEFORE -> searchBefore(node, count, key);
    };
  }

  /// How many separators are not greater than a key.
  private int search(long node, int count, Encoded key) {
    int low = 0;
    int high = count - 1;
    while (low < high) {
      int middle = low + high >>> 1;
      if (compare(node, count, middle, key) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /// The same, where separators lie side by side.
  private int chooseWord(long node, int count, long key) {
    long separators = childAt(node, 2 * count - 1);
    int low = 0;
    int high = count - 1;
    while (low < high) {
      int middle = low + high >>> 1;
      if (memory.readPlain(separators + (long) middle * WORD_BYTES) <= key) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /// How many separators are less than a key.
  private int searchBefore(long node, int count, Encoded key) {
    int low = 0;
    int high = count - 1;
    while (low < high) {
      int middle = low + high >>> 1;
      if (compare(node, count, middle, key) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /// A child of a node that is made, and what is not greater than its keys.
  ///
  /// @param separator `null` if it is the node's first child, and what is before is not known
  public record Child(long offset, Encoded separator) {}
}
