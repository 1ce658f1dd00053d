package io.holdfast.collections.map;

import static io.holdfast.collections.RawCodec.text;
import static io.holdfast.core.fixture.Words.atomically;

import io.holdfast.collections.keyed.KeyedCrashContract;
import io.holdfast.core.Durability;
import io.holdfast.testkit.CrashExplorer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// Crashes of maps that earlier versions have made, whose slots are not dense.
@ParameterizedClass
@EnumSource(Durability.class)
class WideMapCrashTest extends KeyedCrashContract<MapRegion> {
  @Parameter Durability durability;

  @Override
  protected CrashExplorer<MapRegion> explorer(String name) {
    return MapCrashes.explorer(name, durability, MapRegion.Form.SLOTS_OF_EARLIER_VERSIONS)
        .bounds(SHORT)
        .crashesOfRecovery(durability == Durability.PROCESS_CRASH ? 1 : 0);
  }

  @Test
  void allThatIsDone() {
    given("free slots", MapRegion::makeFreeSlots)
        .step("insert", store -> store.put("keyOne..", text("1", 32)))
        .step("insert, two lines", store -> store.put("keyTwo..", text("2", 95)))
        .step("update to the other", store -> store.put("keyOne..", text("3", 33)))
        .step("a large one", store -> store.put("keyTwo..", text("4", 40_000)))
        .step("remove", store -> store.remove("keyOne.."))
        .step("batch", store -> store.putAll(Map.of("keyOne..", "b", "keyTwo..", "c")))
        .step(
            "a section",
            store ->
                atomically(
                    () -> {
                      store.remove("keyOne..");
                      for (int i = 0; i < 5; i++) {
                        store.put("again..." + i, "x");
                      }
                    }))
        .step("put", store -> store.put("keyFive.", "5"))
        .explore();
  }
}
