package io.holdfast.jmh.atlas;

/// Shows RB-1.
class RedBlackTreeTest extends OneLockContract<RedBlackTree> {
  @Override
  RedBlackTree over(ProgramMemory memory) {
    return new RedBlackTree(memory);
  }
}
