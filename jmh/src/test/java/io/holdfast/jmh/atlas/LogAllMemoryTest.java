package io.holdfast.jmh.atlas;

import io.holdfast.core.region.Region;

/// The list in a region that logs every word.
class LogAllMemoryTest extends SinglyLinkedListTest {
  @Override
  ProgramMemory inRegion(Region region) {
    return LogAllMemory.of(region);
  }
}
