package io.holdfast.collections.map;

import static io.holdfast.collections.RawCodec.text;

import io.holdfast.core.Durability;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.Bounds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// Crashes at every store of deleting a map, and of the opening after it, which goes on where the
/// deletion stopped: the map is there or not, and no block is lost.
@ParameterizedClass
@EnumSource(Durability.class)
class MapDisposalCrashTest {
  private static final Bounds LONG = new Bounds(2, 2, 2, 20);

  @Parameter Durability durability;

  /// More blocks than a section frees: chunks of several classes, segments, and what a clearing has
  /// left.
  ///
  /// Shows DISPOSAL-2.
  @Test
  void root4NothingLeaks() {
    MapCrashes.explorer("delete a map", durability)
        .bounds(LONG)
        .crashesOfRecovery(durability == Durability.PROCESS_CRASH ? 1 : 0)
        .given(
            store -> {
              store.create();
              fill(store, 40);
              SectionHooks.enter();
              store.map().clear(); // in a section it leaves its garbage
              SectionHooks.exit();
              fill(store, 1_500);
              for (int i = 0; i < 12; i++) {
                store.put("large " + i, text("v", 60 << i % 8));
              }
            })
        .step("delete", MapRegion::delete)
        .step("create", store -> store.create())
        .step("use", store -> store.put("one key!", "its value"))
        .explore();
  }

  private static void fill(MapRegion store, int count) {
    for (int i = 0; i < count; i++) {
      store.put("key %04d".formatted(i), "a value!");
    }
  }
}
