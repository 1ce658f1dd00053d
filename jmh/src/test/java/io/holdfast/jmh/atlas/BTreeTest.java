package io.holdfast.jmh.atlas;

class BTreeTest extends OneLockContract<BTree> {
  @Override
  BTree over(ProgramMemory memory) {
    return new BTree(memory);
  }
}
