package io.holdfast.collections.map;

import static io.holdfast.collections.RawCodec.text;
import static io.holdfast.core.fixture.Words.atomically;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.keyed.KeyedRegion;
import io.holdfast.collections.map.slot.KeyedHash;
import io.holdfast.collections.overlay.KeyedView;
import io.holdfast.collections.overlay.Overlaid;
import io.holdfast.collections.overlay.Transactions;
import io.holdfast.core.Durability;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.Bounds;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.CrashPoint;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// What sections and transactions hold back of a map is there whole after a crash, or not at all
/// (HELD-1), also where it is a single entry that needs no log (ALONE-1).
@ParameterizedClass
@EnumSource(Durability.class)
class MapOverlayCrashTest {
  private static final Bounds SHORT = new Bounds(4, 6, 4, 24);

  @Parameter Durability durability;

  private CrashExplorer<MapRegion> explorer(String name) {
    return MapCrashes.explorer(name, durability)
        .bounds(SHORT)
        .crashesOfRecovery(durability == Durability.PROCESS_CRASH ? 1 : 0)
        .given(
            store -> {
              store.create();
              for (int i = 0; i < 10; i++) {
                store.put("keyOne..", "former" + i);
              }
              store.put("keyThree", "3");
            });
  }

  /// Runs changes of a section, which holds them back.
  private interface Changes {
    void run(Held held);
  }

  private record Held(Overlaid overlaid) {
    void put(String key, String value) {
      Encoded its = KeyedRegion.encoded(value);
      view().change(KeyedRegion.encoded(key), _ -> its);
    }

    void remove(String key) {
      view().change(KeyedRegion.encoded(key), _ -> null);
    }

    private KeyedView view() {
      return overlaid.forChange();
    }
  }

  private static Held held(MapRegion store) {
    return new Held(new Overlaid(store.region(), store.map(), false));
  }

  private static void section(MapRegion store, Changes changes) {
    Held held = held(store);
    atomically(() -> changes.run(held));
  }

  private static void transaction(MapRegion store, Changes changes) {
    Held held = held(store);
    new Transactions("map", store.region().sections())
        .run(
            () -> {
              changes.run(held);
              return null;
            },
            false,
            Long.MAX_VALUE);
  }

  @Test
  void held1PutsAndRemovalsAreAllThereOrNone() {
    explorer("held back")
        .step(
            "a section",
            store ->
                section(
                    store,
                    held -> {
                      held.put("keyOne..", "new");
                      held.remove("keyThree");
                      held.put("keyTwo..", text("new", 200));
                    }))
        .step(
            "a transaction",
            store ->
                transaction(
                    store,
                    held -> {
                      held.remove("keyTwo..");
                      held.put("keyOne..", "1");
                    }))
        .step("outside", store -> store.put("keyTwo..", "newer"))
        .explore();
  }

  @Test
  void alone1ASingleEntry() {
    explorer("held back, single entries")
        .step("a section", store -> section(store, held -> held.put("keyOne..", "new")))
        .step("another", store -> section(store, held -> held.remove("keyThree")))
        .step("a transaction", store -> transaction(store, held -> held.put("keyTwo..", "2")))
        .step("several", store -> section(store, MapOverlayCrashTest::changeTwo))
        .step("removal", store -> transaction(store, held -> held.remove("keyOne..")))
        .step("long", store -> section(store, held -> held.put("keyOne..", text("new", 5_000))))
        .step("not long", store -> section(store, held -> held.put("keyOne..", "short")))
        .explore();
  }

  private static void changeTwo(Held held) {
    held.put("keyOne..", "newer");
    held.put("keyTwo..", "newer");
  }

  /// A section that has stored something in place before is not its single entry.
  @Test
  void alone1AfterAStoreInPlace() {
    explorer("held back, and in place")
        .step(
            "a section",
            store ->
                section(
                    store,
                    held -> {
                      store.put("keyThree", "in place");
                      held.put("keyOne..", "new");
                    }))
        .explore();
  }

  @Test
  void alone1WhoDependsOnAnOpenSection() {
    String other = inOtherStripe("k");
    dependsOnAnOpenSection(
        store -> store.put("k", "2"),
        store ->
            section(
                store,
                held -> {
                  assertThat(store.get("k")).isEqualTo("2");
                  held.put(other, "seen");
                }),
        Map.of("k", "2", other, "seen"));
  }

  /// Whether it is a single operation, a section, or has only looked before it stores another key.
  @Test
  void claim1WhoBuildsOnAnOpenSectionDependsOnIt() {
    String other = inOtherStripe("k");
    String third = other + inOtherStripe(other);
    Map<String, String> builtOn = Map.of("k", "3", other, "2");
    Consumer<MapRegion> opening =
        store -> {
          Held held = held(store);
          held.put("k", "2");
          held.put(other, "2");
        };
    dependsOnAnOpenSection(opening, store -> store.put("k", "3"), builtOn);
    dependsOnAnOpenSection(opening, store -> section(store, held -> held.put("k", "3")), builtOn);
    dependsOnAnOpenSection(
        opening,
        store -> {
          Encoded seen = store.map().compute(KeyedRegion.encoded("k"), before -> before);
          assertThat(seen).isEqualTo(KeyedRegion.encoded("2"));
          store.put(third, "3");
        },
        Map.of("k", "2", other, "2", third, "3"));
  }

  /// Who depends on an open section is undone with it.
  ///
  /// @param after what is there when both are durable
  private void dependsOnAnOpenSection(
      Consumer<MapRegion> opening, Consumer<MapRegion> depending, Map<String, String> after) {
    String other = inOtherStripe("k");
    Map<String, String> before = Map.of("k", "1", other, "1");
    MapCrashes.explorer("what depends on an open section", durability)
        .bounds(SHORT)
        .withoutModel()
        .crashesOfRecovery(0)
        .given(
            store -> {
              store.create(1);
              store.put("k", "1");
              store.put(other, "1");
            })
        .check(
            (store, point) -> {
              if (isInFlight(point, 3)) {
                assertThat(store.state()).isIn(before, after);
              } else {
                assertThat(store.state()).isEqualTo(point.acknowledged() < 3 ? before : after);
              }
            })
        .step(
            "A",
            "A does something",
            store -> {
              SectionHooks.enter();
              opening.accept(store);
            })
        .step("B", "B depends on it", depending::accept)
        .step("A", "A ends", store -> SectionHooks.exit())
        .explore();
  }

  /// A key that shares no lock with another one, in a map of two stripes.
  private static String inOtherStripe(String key) {
    KeyedHash hash = new KeyedHash(7, 11);
    long stripe = hash.hash(MapRegion.encoded(key)) & 1;
    int number = 0;
    while ((hash.hash(MapRegion.encoded("o" + number)) & 1) == stripe) {
      number++;
    }
    return "o" + number;
  }

  private static boolean isInFlight(CrashPoint point, int step) {
    return point.inFlight() != null && point.acknowledged() + 1 == step;
  }
}
