package io.holdfast.core.explorer;

import io.holdfast.core.Durability;
import io.holdfast.core.memory.FlushMode;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.OrderedMemory;
import io.holdfast.core.region.Region;
import java.util.Arrays;
import java.util.List;

/// Opens regions of the smallest size; those that survive a loss of power in each mode in which
/// data can be flushed.
public class RegionOpener implements StoreOpener<Region> {
  @Override
  public final Class<Region> type() {
    return Region.class;
  }

  @Override
  public final Region open(Memory memory, Durability durability) {
    prepare(memory);
    return open(durability == Durability.POWER_FAILURE ? new OrderedMemory(memory) : memory);
  }

  /// Makes of a memory the device that the test is about.
  protected void prepare(Memory memory) {
    // One with room.
  }

  /// Opens over a memory that orders its stores as the failure to survive asks for.
  protected Region open(Memory memory) {
    return Words.open(memory);
  }

  @Override
  public final List<StoreOpener<Region>> variants(Durability durability) {
    return durability == Durability.POWER_FAILURE
        ? Arrays.stream(FlushMode.values()).<StoreOpener<Region>>map(InMode::new).toList()
        : List.of(this);
  }

  /// Opens in one mode.
  private final class InMode implements StoreOpener<Region> {
    private final FlushMode mode;

    InMode(FlushMode mode) {
      this.mode = mode;
    }

    @Override
    public Class<Region> type() {
      return Region.class;
    }

    @Override
    public Region open(Memory memory, Durability durability) {
      prepare(memory);
      return RegionOpener.this.open(new OrderedMemory(memory, mode));
    }

    @Override
    public String toString() {
      return mode.toString();
    }
  }
}
