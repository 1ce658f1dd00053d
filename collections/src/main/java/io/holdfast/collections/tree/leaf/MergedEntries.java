package io.holdfast.collections.tree.leaf;

import io.holdfast.codec.Encoded;
import io.holdfast.codec.EncodedEntry;
import io.holdfast.collections.tree.node.KeyOrder;
import java.util.List;

/// Entries of a leaf with those of a thread that holds changes back, in order.
public final class MergedEntries extends LeafEntries {
  private final List<EncodedEntry> entries;

  public MergedEntries(List<EncodedEntry> entries) {
    this.entries = entries;
  }

  @Override
  public void select(KeyOrder order, Encoded from, boolean inclusive, boolean ascending) {
    throw new AssertionError("what is merged was selected before");
  }

  @Override
  public int size() {
    return entries.size();
  }

  @Override
  public Encoded key(int index) {
    return entries.get(index).key();
  }

  @Override
  public Encoded value(int index) {
    return entries.get(index).value();
  }
}
