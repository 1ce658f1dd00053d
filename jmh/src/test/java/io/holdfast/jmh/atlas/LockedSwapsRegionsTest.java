package io.holdfast.jmh.atlas;

import io.holdfast.core.region.Region;

/// The swaps in a region whose sections end at releases.
class LockedSwapsRegionsTest extends LockedSwapsTest {
  @Override
  ProgramMemory inRegion(Region region) {
    return RegionDesign.coupled(region, () -> {});
  }
}
