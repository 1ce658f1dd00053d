package io.holdfast;

import io.holdfast.core.Durability;
import io.holdfast.core.explorer.StoreOpener;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.OrderedMemory;

/// Opens stores for crash tests: `@CrashTest void test(CrashExplorer<Holdfast> explorer)`.
public final class HoldfastOpener implements StoreOpener<Holdfast> {
  @Override
  public Class<Holdfast> type() {
    return Holdfast.class;
  }

  @Override
  public Holdfast open(Memory memory, Durability durability) {
    return Holdfast.over(
        durability == Durability.POWER_FAILURE ? new OrderedMemory(memory) : memory);
  }
}
