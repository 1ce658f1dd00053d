package io.holdfast.jmh.atlas;

import java.util.ArrayList;
import java.util.List;

/// A red-black tree (thesis, Table 4.2, *rbtree*): an operation searches a key, and inserts it or,
/// if it is there, deletes it.
///
/// | block | word 0 | word 1 | word 2 | word 3 | word 4 to 63 |
/// |---|---|---|---|---|---|
/// | root | the topmost node | | | | |
/// | node ({@link AaTree}) | its key | left | right | its level, from 1 on | its key |
///
/// It is as RB-1 says, and its nodes are whole.
public final class RedBlackTree extends OneLock {
  private static final int KEYS = 256;
  private static final int PAYLOAD = 4;

  private final long root;
  private final AaTree tree =
      new AaTree() {
        @Override
        protected long read(long offset) {
          return memory.read(offset);
        }

        @Override
        protected void write(long offset, long value) {
          memory.write(offset, value);
        }

        @Override
        protected void free(long node) {
          memory.free(node, ENTRY_BYTES);
        }
      };

  public RedBlackTree(ProgramMemory memory) {
    super(memory);
    root = memory.root(Long.BYTES);
  }

  @Override
  void change(long draw) {
    long key = 1 + below(draw, KEYS);
    long top = memory.read(root);
    long changed =
        tree.find(top, key) == 0 ? tree.insert(top, key, create(key)) : tree.delete(top, key);
    if (changed != top) {
      memory.write(root, changed);
    }
  }

  private long create(long key) {
    long created = memory.allocate(ENTRY_BYTES);
    for (int i = 0; i < ENTRY_WORDS; i++) {
      memory.writeNew(created + (long) i * Long.BYTES, key);
    }
    memory.writeNew(created + AaTree.LEFT, 0);
    memory.writeNew(created + AaTree.RIGHT, 0);
    memory.writeNew(created + AaTree.LEVEL, 1);
    return created;
  }

  @Override
  public List<Long> content() {
    List<Long> keys = new ArrayList<>();
    tree.forEach(
        memory.read(root),
        node -> {
          long key = memory.read(node);
          for (int word = PAYLOAD; word < ENTRY_WORDS; word++) {
            require(memory.read(node + (long) word * Long.BYTES) == key, "RB-1: torn, key=%d", key);
          }
          keys.add(key);
        });
    return keys;
  }

  @Override
  public int blocks() {
    return 1 + content().size();
  }
}
