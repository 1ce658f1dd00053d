package io.holdfast.collections.tree.leaf;

import io.holdfast.codec.Encoded;
import io.holdfast.codec.EncodedEntry;
import io.holdfast.collections.tree.node.KeyOrder;
import java.util.AbstractList;
import java.util.RandomAccess;

/// Entries of a leaf, in order, as they were at one moment.
///
/// Confined to a thread until they are selected; immutable then.
public abstract sealed class LeafEntries extends AbstractList<EncodedEntry> implements RandomAccess
    permits LeafRecords, LeafWords, MergedEntries {
  LeafEntries() {}

  /// Keeps the entries from a key on, and sorts them.
  ///
  /// @param from `null` for all
  public abstract void select(KeyOrder order, Encoded from, boolean inclusive, boolean ascending);

  static boolean isBehind(int compared, boolean inclusive, boolean ascending) {
    return compared == 0 ? inclusive : compared > 0 == ascending;
  }

  /// Whether all keys and values are words of eight bytes, which can be asked for without an
  /// object.
  public boolean areWords() {
    return false;
  }

  public long keyWord(int index) {
    return key(index).word();
  }

  public long valueWord(int index) {
    return value(index).word();
  }

  public abstract Encoded key(int index);

  public abstract Encoded value(int index);

  @Override
  public final EncodedEntry get(int index) {
    return new EncodedEntry(key(index), value(index));
  }
}
