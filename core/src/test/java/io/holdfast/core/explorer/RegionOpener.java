package io.holdfast.core.explorer;

import io.holdfast.core.Durability;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.OrderedMemory;
import io.holdfast.core.recovery.Region;

/// Opens regions of the smallest size.
public class RegionOpener implements StoreOpener<Region> {
  @Override
  public Class<Region> type() {
    return Region.class;
  }

  @Override
  public Region open(Memory memory, Durability durability) {
    return Words.open(durability == Durability.POWER_FAILURE ? new OrderedMemory(memory) : memory);
  }
}
