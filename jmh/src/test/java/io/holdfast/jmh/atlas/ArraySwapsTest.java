package io.holdfast.jmh.atlas;

/// Shows SPS-1.
class ArraySwapsTest extends OneLockContract<ArraySwaps> {
  /// Smaller, so that every crash can be tried.
  @Override
  ArraySwaps over(ProgramMemory memory) {
    return new ArraySwaps(memory, 3);
  }
}
