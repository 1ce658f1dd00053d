package io.holdfast.jmh.atlas;

/// Shows COWB-1.
class CowBTreeTest extends OneLockContract<CowBTree> {
  @Override
  CowBTree over(ProgramMemory memory) {
    return new CowBTree(memory);
  }
}
