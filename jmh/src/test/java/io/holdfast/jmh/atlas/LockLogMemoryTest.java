package io.holdfast.jmh.atlas;

import io.holdfast.core.region.Region;

/// The list in a region that logs locks.
class LockLogMemoryTest extends HandOverHandListTest {
  @Override
  ProgramMemory inRegion(Region region) {
    return new LockLogMemory(region, () -> {});
  }
}
