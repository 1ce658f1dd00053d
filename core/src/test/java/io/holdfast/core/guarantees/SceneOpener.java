package io.holdfast.core.guarantees;

import io.holdfast.core.Durability;
import io.holdfast.core.fixture.RegionOpener;
import io.holdfast.core.memory.Memory;
import io.holdfast.testkit.StoreOpener;

/// Opens regions as scenes.
final class SceneOpener implements StoreOpener<Scene> {
  @Override
  public Class<Scene> type() {
    return Scene.class;
  }

  @Override
  public Scene open(Memory memory, Durability durability) {
    return new RegionScene(new RegionOpener().open(memory, durability));
  }
}
