package io.holdfast.jmh.atlas;

import java.util.List;
import java.util.NavigableMap;

/// A B-tree that is changed in place (thesis, Table 4.2, *btree*): an operation searches a key, and
/// inserts it or, if it is there, deletes it. The root has the topmost node of a {@link WordTree},
/// whose values are minus the keys.
public final class BTree extends OneLock {
  private static final int KEYS = 4_096;

  private final WordTree tree;

  public BTree(ProgramMemory memory) {
    super(memory);
    tree = new WordTree(memory, memory.root(Long.BYTES));
  }

  @Override
  void change(long draw) {
    long key = 1 + below(draw, KEYS);
    if (!tree.add(key, -key)) {
      tree.remove(key);
    }
  }

  @Override
  public List<Long> content() {
    NavigableMap<Long, Long> entries = tree.entries();
    entries.forEach((key, value) -> require(value == -key, "value=%d, key=%d", value, key));
    return List.copyOf(entries.keySet());
  }

  @Override
  public int blocks() {
    return 1 + tree.nodes();
  }
}
