package io.holdfast.core.explorer;

import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionLayout;

/// Opens regions on a device that has room for the smallest region and no more: three spans of
/// data, which a root and the words of a test take.
public final class FullDeviceOpener extends RegionOpener {
  @Override
  protected void prepare(Memory memory) {
    ((RecordingMemory) memory).limitTo(RegionLayout.MIN_BYTES);
  }
}
