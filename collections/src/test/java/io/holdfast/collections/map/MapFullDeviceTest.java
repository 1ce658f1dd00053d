package io.holdfast.collections.map;

import static io.holdfast.collections.RawCodec.text;
import static io.holdfast.core.fixture.Words.atomically;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Durability;
import io.holdfast.core.RegionFullException;
import io.holdfast.core.fixture.QuietRecoveries;
import io.holdfast.core.memory.FlushMode;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.RecordingMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// A workload of everything in which a map needs room, with the N-th growth of the file refused,
/// and with room for the first N spans, for N = 1, 2, 3 and so on: the step that fails has changed
/// nothing, the map is usable at once and when it is opened again, and when there is room
/// everything goes on.
@ParameterizedClass
@EnumSource(Durability.class)
@ExtendWith(QuietRecoveries.class)
class MapFullDeviceTest {
  private static final Object OUTER = new Object(), INNER = new Object();
  private static final int LIMITS = 30;

  @Parameter Durability durability;

  /// A section, or an operation that is one; the model's part is done behind it.
  private record Step(String name, BiConsumer<MapRegion, Map<String, String>> action) {
    void run(MapRegion store, Map<String, String> model) {
      Map<String, String> after = new TreeMap<>(model);
      action.accept(store, after);
      model.clear();
      model.putAll(after);
    }
  }

  private static Step step(String name, BiConsumer<MapRegion, Map<String, String>> action) {
    return new Step(name, action);
  }

  private static void put(MapRegion store, Map<String, String> model, String key, String value) {
    store.put(key, value);
    model.put(key, value);
  }

  private static void fill(
      MapRegion store, Map<String, String> model, String name, int count, int length) {
    for (int i = 0; i < count; i++) {
      put(store, model, name + i, text(name + i, length));
    }
  }

  private static List<Step> workload() {
    List<Step> steps = new ArrayList<>();
    steps.add(step("first", (store, model) -> put(store, model, "first", "1")));
    steps.add(
        step(
            "many in a section",
            (store, model) -> atomically(() -> fill(store, model, "many", 700, 8))));
    for (int i = 0; i < 12; i++) {
      String name = "single" + i;
      int length = 40 << i;
      steps.add(
          step(
              "a value of " + length,
              (store, model) -> put(store, model, name, text(name, Math.min(length, 30_000)))));
    }
    steps.add(
        step(
            "all larger, in a section",
            (store, model) -> atomically(() -> fill(store, model, "many", 300, 500))));
    steps.add(
        step(
            "in nested locks",
            (store, model) -> {
              SectionHooks.acquired(OUTER);
              try {
                fill(store, model, "outer", 20, 100);
                SectionHooks.acquired(INNER);
                try {
                  fill(store, model, "inner", 500, 3_000);
                } finally {
                  SectionHooks.releasing(INNER);
                }
                for (int i = 0; i < 20; i++) {
                  store.remove("outer" + i);
                  model.remove("outer" + i);
                }
                put(store, model, "large", text("large", 30_000));
              } finally {
                SectionHooks.releasing(OUTER);
              }
            }));
    steps.add(
        step(
            "a batch",
            (store, model) -> {
              Map<String, String> batch = new TreeMap<>();
              for (int i = 0; i < 100; i++) {
                batch.put("batch" + i, text("b", 200));
              }
              store.putAll(batch);
              model.putAll(batch);
            }));
    steps.add(
        step(
            "clear, and others",
            (store, model) ->
                atomically(
                    () -> {
                      store.map().clear();
                      model.clear();
                      fill(store, model, "other", 400, 90);
                    })));
    steps.add(
        step(
            "clear",
            (store, model) -> {
              store.map().clear();
              model.clear();
            }));
    steps.add(step("again", (store, model) -> put(store, model, "first", "1")));
    return steps;
  }

  private Memory memory(RecordingMemory bytes) {
    return durability == Durability.POWER_FAILURE ? FlushMode.POSTED.over(bytes) : bytes;
  }

  @Test
  void theNthGrowthIsRefused() {
    int number = 1;
    while (run("growth %d".formatted(number), number, Long.MAX_VALUE)) {
      number++;
    }
    assertThat(number).as("growths that were refused").isGreaterThan(2);
  }

  /// Room for a few spans more each time.
  @Test
  void theDeviceIsAsLongAsThat() {
    for (int spans = 0; spans < LIMITS; spans++) {
      long limit = MapRegion.BYTES + (long) spans * RegionLayout.SPAN_BYTES;
      assertThat(run("spans %d".formatted(spans), 0, limit)).isTrue();
    }
  }

  /// @return whether something was refused
  private boolean run(String what, int growth, long limit) {
    RecordingMemory bytes = new RecordingMemory();
    MapRegion store = MapRegion.open(memory(bytes), 1).create(1);
    Map<String, String> model = new TreeMap<>();
    bytes.refuseGrowth(growth);
    bytes.limitTo(limit);
    boolean refused = false;
    for (Step step : workload()) {
      try {
        step.run(store, model);
      } catch (RegionFullException e) {
        refused = true;
        String when = "%s, refused: %s".formatted(what, step.name);
        assertSame(when, store, model);
        store.checkBlocks();
        for (long boot = 1; boot <= 2; boot++) { // as it is, and rebuilt
          try (MapRegion again = MapRegion.open(memory(bytes.copy()), boot)) {
            assertSame(when + ", opened again", again, model);
            again.check();
          }
        }
        use(when, store, model);
        bytes.refuseGrowth(0);
        bytes.limitTo(Long.MAX_VALUE); // the space returns
        step.run(store, model);
      }
      assertSame(what + ", behind " + step.name, store, model);
    }
    store.checkBlocks();
    store.close();
    return refused;
  }

  /// What needs no room can be done on a full device.
  private static void use(String when, MapRegion store, Map<String, String> model) {
    if (!model.isEmpty()) {
      String key = model.keySet().iterator().next();
      assertThat(store.remove(key)).as(when).isEqualTo(model.remove(key));
      assertThat(store.get(key)).isNull();
      assertSame(when + ", used", store, model);
    }
  }

  private static void assertSame(String when, MapRegion store, Map<String, String> model) {
    assertThat(store.all()).as(when).isEqualTo(model);
    assertThat(store.map().validate())
        .as(when)
        .isEqualTo(store.map().size())
        .isEqualTo(model.size());
  }
}
