package io.holdfast.collections.map;

import io.holdfast.core.Durability;
import io.holdfast.core.memory.FlushMode;
import io.holdfast.testkit.CrashExplorer;

/// Crashes of maps. Not in {@link MapRegion}, because an explorer asks for the form of the tests: a
/// test that crashes nothing uses the region alone, and `.ci/run` runs it once.
final class MapCrashes {
  private MapCrashes() {}

  /// Explores with states, and with all that must hold of any opened map.
  static CrashExplorer<MapRegion> explorer(String name, Durability durability) {
    return explorer(name, durability, MapRegion.Form.SLOTS);
  }

  /// The same.
  static CrashExplorer<MapRegion> explorer(
      String name, Durability durability, MapRegion.Form form) {
    boolean isOrdered = durability == Durability.POWER_FAILURE;
    return CrashExplorer.of(
            name,
            memory ->
                isOrdered
                    ? MapRegion.open(FlushMode.POSTED.over(memory), 0, form)
                    : MapRegion.open(memory, 1, form))
        .surviving(durability)
        .state(MapRegion::state)
        .check((opened, point) -> opened.check());
  }
}
