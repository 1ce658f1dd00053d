package io.holdfast.jmh.atlas;

/// Shows TATP-1.
class TatpUpdateLocationTest extends OneLockContract<TatpUpdateLocation> {
  /// Smaller, so that every crash can be tried.
  @Override
  TatpUpdateLocation over(ProgramMemory memory) {
    return new TatpUpdateLocation(memory, 2);
  }
}
