package io.holdfast.jmh.atlas;

class ArraySwapsTest extends OneLockContract<ArraySwaps> {
  /// Smaller, so that every crash can be tried.
  @Override
  ArraySwaps over(ProgramMemory memory) {
    return new ArraySwaps(memory, 3);
  }
}
