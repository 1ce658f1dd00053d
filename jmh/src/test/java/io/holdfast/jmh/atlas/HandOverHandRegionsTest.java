package io.holdfast.jmh.atlas;

import io.holdfast.core.region.Region;

/// The list whose visits are counted, in a region whose sections end at releases: a crash finds a
/// walk where it was, and the list whole.
class HandOverHandRegionsTest extends HandOverHandListTest {
  @Override
  HandOverHandList over(ProgramMemory memory) {
    return new HandOverHandList(memory, 2, 2, true);
  }

  @Override
  ProgramMemory inRegion(Region region) {
    return RegionDesign.coupled(region, () -> {});
  }
}
