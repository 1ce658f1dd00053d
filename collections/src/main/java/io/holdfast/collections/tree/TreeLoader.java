package io.holdfast.collections.tree;

import io.holdfast.codec.Encoded;
import io.holdfast.codec.EncodedEntry;
import io.holdfast.collections.tree.leaf.LeafBatch;
import io.holdfast.collections.tree.node.KeyOrder;
import java.util.Iterator;

/// Puts entries whose keys ascend after all that are in a tree: whole leaves, some at a time, each
/// time in a section of its own (TREE-4).
///
/// **TREE-8** What is there of a loading is its first entries, up to the end of such a section.
/// Test: TreeLoadCrashTest.
///
/// Confined to a thread; holds no lock while it waits for entries.
final class TreeLoader {
  private static final int ATTEMPTS = 10;

  private final EntryTree tree;
  private final KeyOrder order;
  private long loaded;

  TreeLoader(EntryTree tree, KeyOrder order) {
    this.tree = tree;
    this.order = order;
  }

  /// @return how many entries were stored
  long load(Iterator<EncodedEntry> sorted) {
    LeafBatch batch = new LeafBatch();
    Encoded last = null;
    while (sorted.hasNext()) {
      EncodedEntry next = sorted.next();
      tree.check(next.key(), next.value());
      if (last != null && order.compare(last, next.key()) >= 0) {
        throw tree.unordered(loaded);
      }
      last = next.key();
      if (!batch.add(next)) {
        store(batch);
        batch = new LeafBatch();
        batch.add(next);
      }
    }
    store(batch);
    return loaded;
  }

  private void store(LeafBatch batch) {
    boolean isDone = batch.entries() == 0;
    for (int attempt = 0; !isDone; attempt++) {
      if (tree.nearest(batch.firstKey(), true, true) != null) {
        throw tree.unordered(loaded);
      }
      if (attempt < ATTEMPTS) {
        isDone = tree.append(batch);
      } else {
        // Others are in the way, or an empty leaf that begins with a greater key.
        batch.forEach(tree::put);
        isDone = true;
      }
    }
    loaded += batch.entries();
  }
}
