package io.holdfast;

import io.holdfast.core.memory.Memory;

/// Opens a store over a memory whose persistence domain is the caller's, which no option asks for.
/// In this package because it is the crash explorer's way in.
public final class StoreOver {
  private StoreOver() {}

  /// Opens or creates a store.
  public static Holdfast open(Memory memory) {
    return Holdfast.over(memory);
  }
}
