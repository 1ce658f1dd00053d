package io.holdfast.jmh.stm;

import io.holdfast.jmh.atlas.AaTree;

/// A thread's blocks of a line each, allocated and freed by its transactions: what one does that is
/// not committed is not done. A block may be freed by another thread than has allocated it.
///
/// | word of its line | |
/// |---|---|
/// | 0 | the free block that is used next, whose first word is the one after it |
/// | 1 | the first block that was never used |
/// | 2 | where the thread's blocks end |
///
/// For one thread.
final class LineHeap {
  private static final int NEXT = 8, END = 16;

  private final WordTransaction transaction;
  private final long at;

  LineHeap(WordTransaction transaction, long at) {
    this.transaction = transaction;
    this.at = at;
  }

  /// Has so many blocks, in a transaction.
  void init(long first, long blocks) {
    transaction.write(at + NEXT, first);
    transaction.write(at + END, first + blocks * Seal.LINE);
  }

  /// @return a block of arbitrary content
  long allocate() {
    long block = transaction.read(at);
    if (block != 0) {
      transaction.write(at, transaction.read(block));
      return block;
    }
    block = transaction.read(at + NEXT);
    long end = transaction.read(at + END);
    if (block >= end) {
      throw new IllegalStateException("a thread has no more blocks: end=0x%X".formatted(end));
    }
    transaction.write(at + NEXT, block + Seal.LINE);
    return block;
  }

  void free(long block) {
    transaction.write(block, transaction.read(at));
    transaction.write(at, block);
  }

  /// A node for {@link #tree}, whose last four words are the caller's to write.
  long node(long key) {
    long node = allocate();
    transaction.write(node, key);
    transaction.write(node + AaTree.LEFT, 0);
    transaction.write(node + AaTree.RIGHT, 0);
    transaction.write(node + AaTree.LEVEL, 1);
    return node;
  }

  /// Changes trees whose nodes are blocks.
  AaTree tree() {
    return new AaTree() {
      @Override
      protected long read(long offset) {
        return transaction.read(offset);
      }

      @Override
      protected void write(long offset, long value) {
        transaction.write(offset, value);
      }

      @Override
      protected void free(long node) {
        LineHeap.this.free(node);
      }
    };
  }
}
