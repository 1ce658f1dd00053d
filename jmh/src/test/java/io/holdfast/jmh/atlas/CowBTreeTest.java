package io.holdfast.jmh.atlas;

class CowBTreeTest extends OneLockContract<CowBTree> {
  @Override
  CowBTree over(ProgramMemory memory) {
    return new CowBTree(memory);
  }
}
