package io.holdfast.collections.tree.leaf;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.tree.leaf.LeafImage.Item;
import io.holdfast.collections.tree.node.Torn;
import io.holdfast.collections.tree.node.TreeLayout;
import io.holdfast.core.memory.Memory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// The bytes of a leaf, read at one go, as far as there are records: a thread that needs all of
/// them asks the memory once and not for each word. What it says may be torn, as what was read word
/// by word.
///
/// Confined to a thread.
final class LeafCopy implements RecordSource {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /// Of leaves out of which a thread takes words at once: two KiB fewer for each scan.
  private static final ThreadLocal<LeafCopy> OF_THREAD = ThreadLocal.withInitial(LeafCopy::new);

  private final byte[] bytes = new byte[TreeLayout.LEAF_BYTES];

  /// The thread's own. Until it is filled once more it keeps what it is filled with.
  static LeafCopy ofThread() {
    return OF_THREAD.get();
  }

  /// Copies all of a leaf, though its end may be empty: to know where that begins is to wait for
  /// the first line, and only then for the others.
  void fill(Memory memory, long leaf) {
    memory.readBytes(leaf, bytes, 0, bytes.length);
  }

  @Override
  public long word(long offset) {
    return (long) LONGS.get(bytes, (int) offset);
  }

  @Override
  public void bytes(long offset, byte[] into, int at, int length) {
    System.arraycopy(bytes, (int) offset, into, at, length);
  }

  /// Where a place is.
  static int offset(int place) {
    return (int) TreeLayout.at(0, place);
  }

  long live() {
    return word(TreeLayout.LIVE);
  }

  /// @throws Torn if there is none
  int place(int slot) {
    int place = bytes[TreeLayout.PLACES + slot] & 0xff;
    if (place >= TreeLayout.WORDS) {
      throw Torn.TORN;
    }
    return place;
  }

  /// The header of an entry's record.
  ///
  /// @throws Torn if it can't be one
  long header(int place) {
    return header(0, place);
  }

  /// The key of a record.
  Encoded key(int place) {
    return key(0, place);
  }

  /// What is stored as a record's value.
  Encoded stored(int place) {
    return stored(0, place);
  }

  /// A record as it would be stored once more.
  Item item(int place) {
    long header = header(place);
    return new Item(
        TreeLayout.kind(header), key(place), stored(place), TreeLayout.valueLength(header));
  }
}
