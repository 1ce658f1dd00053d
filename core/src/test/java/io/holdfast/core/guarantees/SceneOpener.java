package io.holdfast.core.guarantees;

import io.holdfast.core.Durability;
import io.holdfast.core.explorer.RegionOpener;
import io.holdfast.core.explorer.StoreOpener;
import io.holdfast.core.memory.Memory;

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
