package io.holdfast.testkit;

import io.holdfast.Holdfast;
import io.holdfast.core.Durability;
import io.holdfast.core.memory.FlushMode;
import io.holdfast.core.memory.Memory;

/// Opens stores for crash tests: `@CrashTest void test(CrashExplorer<Holdfast> explorer)`.
public final class HoldfastOpener implements StoreOpener<Holdfast> {
  /// For {@link java.util.ServiceLoader}.
  public HoldfastOpener() {}

  @Override
  public Class<Holdfast> type() {
    return Holdfast.class;
  }

  @Override
  public Holdfast open(Memory memory, Durability durability) {
    return Holdfast.over(
        durability == Durability.POWER_FAILURE ? FlushMode.POSTED.over(memory) : memory);
  }

  @Override
  public boolean acknowledges() {
    return true;
  }
}
