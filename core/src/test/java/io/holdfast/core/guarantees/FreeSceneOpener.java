package io.holdfast.core.guarantees;

import io.holdfast.core.Durability;
import io.holdfast.core.Regions;
import io.holdfast.core.fixture.RegionOpener;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.region.Region;
import io.holdfast.testkit.StoreOpener;

/// Opens regions whose sections end at releases as scenes.
final class FreeSceneOpener implements StoreOpener<Scene> {
  @Override
  public Class<Scene> type() {
    return Scene.class;
  }

  @Override
  public Scene open(Memory memory, Durability durability) {
    Region region = new RegionOpener().open(memory, durability);
    region.sections().delimitBy(Regions.SYNCHRONIZATION_FREE);
    return new RegionScene(region);
  }
}
