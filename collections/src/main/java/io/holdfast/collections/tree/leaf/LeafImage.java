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

  /// How many words entries take, one after the other.
  static int packed(int tail, Item item) {
    return TreeLayout.place(tail, item.words()) + item.words();
  }

  /// Adds an entry to a leaf that is made.
  void add(Item item, int fingerprint) {
    int place = TreeLayout.place(tail, item.words());
    tail = record(0, place, item.header(NONE), item.key(), item.stored());
    bytes[TreeLayout.FINGERPRINTS + slots] = (byte) fingerprint;
    bytes[TreeLayout.PLACES + slots] = (byte) place;
    liveWords += item.words();
    slots++;
  }

  int slots() {
    return slots;
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

  /// An entry as it is stored.
  ///
  /// @param kind `KIND_ENTRY` or `KIND_OUTSIDE`
  /// @param stored the value, or the offset of its block
  /// @param valueLength of the value itself
  record Item(int kind, Encoded key, Encoded stored, int valueLength) {
    static Item of(Encoded key, Encoded value) {
      return new Item(TreeLayout.KIND_ENTRY, key, value, value.length());
    }

    boolean isOutside() {
      return kind == TreeLayout.KIND_OUTSIDE;
    }

    long header(int gone) {
      return TreeLayout.header(kind, gone, key.length(), valueLength);
    }

    int words() {
      return TreeLayout.words(header(NONE));
    }
  }
}
