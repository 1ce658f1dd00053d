package io.holdfast.jmh.atlas;

class RedBlackTreeTest extends OneLockContract<RedBlackTree> {
  @Override
  RedBlackTree over(ProgramMemory memory) {
    return new RedBlackTree(memory);
  }
}
