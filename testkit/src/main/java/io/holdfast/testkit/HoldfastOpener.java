package io.holdfast.testkit;

import io.holdfast.Holdfast;
import io.holdfast.core.Durability;
import io.holdfast.core.Regions;
import io.holdfast.core.memory.FlushMode;
import io.holdfast.core.memory.Memory;

/// Opens stores for crash tests: `@CrashTest void test(CrashExplorer<Holdfast> explorer)`.
public sealed class HoldfastOpener implements StoreOpener<Holdfast>
    permits SynchronizationFreeOpener {
  private final Regions regions;

  /// For {@link java.util.ServiceLoader}.
  public HoldfastOpener() {
    this(Regions.OUTERMOST_CRITICAL_SECTION);
  }

  HoldfastOpener(Regions regions) {
    this.regions = regions;
  }

  @Override
  public final Class<Holdfast> type() {
    return Holdfast.class;
  }

  @Override
  public final Holdfast open(Memory memory, Durability durability) {
    return Holdfast.over(
        durability == Durability.POWER_FAILURE ? FlushMode.POSTED.over(memory) : memory, regions);
  }

  @Override
  public final boolean acknowledges() {
    return true;
  }
}
