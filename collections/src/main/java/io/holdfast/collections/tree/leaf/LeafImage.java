package io.holdfast.collections.tree.leaf;

import static io.holdfast.collections.tree.node.TreeLayout.LEAF_BYTES;
import static io.holdfast.collections.tree.node.TreeLayout.LINE_WORDS;
import static io.holdfast.collections.tree.node.TreeLayout.NONE;
import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.tree.node.TreeLayout;
import io.holdfast.core.memory.Memory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// The bytes of a leaf, or of some of its lines, that are about to be stored.
///
/// Confined to a thread.
final class LeafImage implements RecordSink {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte[] bytes = new byte[LEAF_BYTES];
  private int tail;
  private int slots;
  private int liveWords;

  @Override
  public void word(long offset, long value) {
    LONGS.set(bytes, (int) offset, value);
  }

  @Override
  public void bytes(long offset, byte[] from, int at, int length) {
    System.arraycopy(from, at, bytes, (int) offset, length);
  }

  @Override
  public void meta(long offset, long value) {
    word(offset, value);
  }

  /// Begins a leaf that is made.
  void begin(Prefix prefix) {
    if (prefix.words() > 0) {
      tail = record(0, 0, prefix.header(), prefix.common(), Prefix.NONE.common());
    }
  }

  /// Adds an entry to it, as it is stored.
  void add(Item item, int fingerprint) {
    int place = TreeLayout.place(tail, item.words());
    tail = record(0, place, item.header(NONE), item.key(), item.stored());
    bytes[TreeLayout.FINGERPRINTS + slots] = (byte) fingerprint;
    bytes[TreeLayout.PLACES + slots] = (byte) place;
    liveWords += item.words();
    slots++;
  }

  /// Stores all of it in a block that nobody can find yet.
  void writeTo(Memory memory, long leaf, long epoch) {
    word(TreeLayout.EPOCH, epoch);
    word(TreeLayout.LIVE, slots == 0 ? 0 : -1L >>> Long.SIZE - slots);
    word(TreeLayout.FILLED, TreeLayout.filled(tail, liveWords));
    memory.writeBytesPlain(leaf, bytes, 0, bytes.length);
  }

  /// Takes over the lines of a leaf that a record will lie in.
  void load(Memory memory, long leaf, int place, int words) {
    int from = from(place);
    memory.readBytes(leaf + from, bytes, from, to(place, words) - from);
  }

  /// Where the lines of a record begin.
  static int from(int place) {
    return (int) TreeLayout.lineAt(0, place / LINE_WORDS);
  }

  /// After a record's last word.
  static int to(int place, int words) {
    return (int) TreeLayout.at(0, place + words - 1) + WORD_BYTES;
  }

  byte[] array() {
    return bytes;
  }

  /// An entry of a leaf.
  ///
  /// @param kind `KIND_ENTRY` or `KIND_OUTSIDE`, and `SHORT` if the key is without the prefix
  /// @param stored the value, or the offset of its block
  /// @param valueLength of the value itself
  record Item(int kind, Encoded key, Encoded stored, int valueLength) {
    /// One whose value, if it is too long for a leaf, has no block yet.
    static Item of(Encoded key, Encoded value) {
      boolean isInside = TreeLayout.isInside(key.length(), value.length());
      int kind = isInside ? TreeLayout.KIND_ENTRY : TreeLayout.KIND_OUTSIDE;
      return new Item(kind, key, value, value.length());
    }

    boolean isOutside() {
      return TreeLayout.kind(kind) == TreeLayout.KIND_OUTSIDE;
    }

    Item in(long block) {
      return new Item(kind, key, Encoded.of(block), valueLength);
    }

    long header(int gone) {
      return TreeLayout.header(kind, gone, key.length(), valueLength);
    }

    int words() {
      return TreeLayout.words(header(NONE));
    }
  }
}
