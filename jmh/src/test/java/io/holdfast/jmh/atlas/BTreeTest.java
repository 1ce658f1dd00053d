package io.holdfast.jmh.atlas;

/// Shows BTREE-1.
class BTreeTest extends OneLockContract<BTree> {
  @Override
  BTree over(ProgramMemory memory) {
    return new BTree(memory);
  }
}
