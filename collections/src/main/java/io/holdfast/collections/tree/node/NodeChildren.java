package io.holdfast.collections.tree.node;

import static io.holdfast.collections.tree.node.TreeLayout.INNER_BYTES;
import static io.holdfast.collections.tree.node.TreeLayout.INNER_CHILDREN;
import static io.holdfast.collections.tree.node.TreeLayout.INNER_COUNT;
import static io.holdfast.core.memory.RegionLayout.LINE_BYTES;
import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.tree.node.Inner.Child;
import io.holdfast.core.memory.Memory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/// The children of inner nodes that are about to be made: those of one node, which is read at one
/// go, with others in the place of some. The separators' bytes stay where they were read.
///
/// Confined to a thread.
final class NodeChildren {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private int count;
  private long[] offsets;

  /// What is not greater than a child's keys: where its bytes begin, its length above bit 32. That
  /// of the first child is of no use.
  private long[] separators;

  private byte[] bytes;
  private int end;

  private NodeChildren(int count, int room, byte[] bytes) {
    this.count = count;
    this.offsets = new long[room];
    this.separators = new long[room];
    this.bytes = bytes;
    this.end = bytes.length;
  }

  /// The children of a node.
  ///
  /// @param length of the node, in bytes
  /// @throws Torn if it contradicts itself
  static NodeChildren of(Memory memory, long node, int count, int length) {
    byte[] bytes = new byte[length];
    memory.readBytes(node, bytes, 0, length);
    NodeChildren children = new NodeChildren(count, count + 2, bytes);
    for (int i = 0; i < count; i++) {
      children.offsets[i] = (long) LONGS.get(bytes, (int) Inner.childAt(0, i));
    }
    for (int i = 1; i < count; i++) {
      long word = (long) LONGS.get(bytes, (int) Inner.childAt(0, count + i - 1));
      Inner.checkSeparator(word, length);
      children.separators[i] = word;
    }
    return children;
  }

  static NodeChildren of(List<Child> news) {
    NodeChildren children = new NodeChildren(0, news.size(), new byte[0]);
    children.replace(0, 0, news);
    return children;
  }

  int count() {
    return count;
  }

  long offset(int i) {
    return offsets[i];
  }

  /// What is not greater than a child's keys.
  Encoded separator(int i) {
    int from = Inner.from(separators[i]);
    return Encoded.of(Arrays.copyOfRange(bytes, from, from + Inner.length(separators[i])));
  }

  /// Puts others in the place of some; the first one's separator stays.
  void replace(int from, int gone, List<Child> news) {
    long kept = gone > 0 ? separators[from] : 0;
    int moved = from + news.size();
    int left = count - from - gone;
    if (moved + left > offsets.length) {
      offsets = Arrays.copyOf(offsets, moved + left);
      separators = Arrays.copyOf(separators, moved + left);
    }
    System.arraycopy(offsets, from + gone, offsets, moved, left);
    System.arraycopy(separators, from + gone, separators, moved, left);
    count = moved + left;
    for (int i = 0; i < news.size(); i++) {
      Child child = news.get(i);
      offsets[from + i] = child.offset();
      separators[from + i] = i == 0 ? kept : append(child.separator());
    }
  }

  private long append(Encoded separator) {
    int length = separator.length();
    if (end + length > bytes.length) {
      bytes = Arrays.copyOf(bytes, end + Math.max(length, TreeLayout.KEY_MAX));
    }
    System.arraycopy(separator.bytes(), 0, bytes, end, length);
    long made = (long) length << 32 | end;
    end += length;
    return made;
  }

  /// How many bytes a node of some of them has.
  int bytes(int from, int to) {
    int words = 2 * (to - from) - 1;
    for (int i = from + 1; i < to; i++) {
      words += TreeLayout.wordsOf(Inner.length(separators[i]));
    }
    int length = INNER_CHILDREN + words * WORD_BYTES;
    return (length + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
  }

  /// Writes a node of some of them into a block that nobody can find yet.
  ///
  /// @param to a memory in which what a section allocates is written
  void write(Memory to, long node, int first, int last) {
    int nodes = last - first;
    byte[] image = new byte[bytes(first, last)];
    LONGS.set(image, INNER_COUNT, (long) nodes);
    LONGS.set(image, INNER_BYTES, (long) image.length);
    int at = (int) Inner.childAt(0, 2 * nodes - 1);
    LONGS.set(image, (int) Inner.childAt(0, 0), offsets[first]);
    for (int i = 1; i < nodes; i++) {
      long separator = separators[first + i];
      int length = Inner.length(separator);
      LONGS.set(image, (int) Inner.childAt(0, i), offsets[first + i]);
      LONGS.set(image, (int) Inner.childAt(0, nodes + i - 1), (long) length << 32 | at);
      if (length == WORD_BYTES) {
        LONGS.set(image, at, (long) LONGS.get(bytes, Inner.from(separator)));
      } else {
        System.arraycopy(bytes, Inner.from(separator), image, at, length);
      }
      at += TreeLayout.wordsOf(length) * WORD_BYTES;
    }
    to.writeBytesPlain(node, image, 0, image.length);
  }
}
