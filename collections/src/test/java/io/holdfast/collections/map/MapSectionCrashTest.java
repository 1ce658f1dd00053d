package io.holdfast.collections.map;

import static io.holdfast.collections.RawCodec.text;
import static io.holdfast.core.fixture.Words.atomically;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.codec.EncodedEntry;
import io.holdfast.collections.map.slot.KeyedHash;
import io.holdfast.core.Durability;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.Bounds;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.CrashPoint;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// What is done to a map inside of a section stands and falls with it (P1), and who sees what an
/// open section did depends on it (P2).
@ParameterizedClass
@EnumSource(Durability.class)
class MapSectionCrashTest {
  private static final Bounds SHORT = new Bounds(6, 8, 6, 30);

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
                store.put("keyTwo..", text("former" + i, 200));
              }
              store.put("keyThree", "3");
            });
  }

  @Test
  void p1SeveralInASection() {
    explorer("section")
        .step(
            "a section",
            store ->
                atomically(
                    () -> {
                      store.put("keyOne..", "new");
                      store.remove("keyThree");
                      store.put("keyTwo..", text("new", 200));
                      store.put("keyFour.", "4");
                    }))
        .step("outside", store -> store.put("keyOne..", "newer"))
        .step("outside", store -> store.put("keyTwo..", text("newer", 200)))
        .explore();
  }

  /// What an operation before the section has made invalid is invalid durably before the section
  /// removes its key, or it would revive.
  @Test
  void map3RemovalInASection() {
    explorer("update, remove in a section")
        .step("update", store -> store.put("keyOne..", "new"))
        .step("another", store -> store.put("keyThree", "4"))
        .step(
            "a section",
            store ->
                atomically(
                    () -> {
                      store.remove("keyOne..");
                      store.put("keyThree", "5");
                    }))
        .explore();
  }

  /// A slot that the section frees is used again in it: its content must come back.
  @Test
  void p1SlotsFreedAndReusedInASection() {
    explorer("section, reuse")
        .given(
            store -> {
              for (int i = 0; i < 16; i++) { // leaves no slot of the chunk that was never used
                store.put("filler.." + i, "x");
              }
            })
        .step(
            "a section",
            store ->
                atomically(
                    () -> {
                      for (int i = 0; i < 8; i++) {
                        store.put("keyOne..", "again" + i);
                        store.put("keyTwo..", text("again" + i, 200));
                      }
                    }))
        .explore();
  }

  /// The slot that an operation outside has taken last comes to be free again, behind all those
  /// that were behind it then and have entries now.
  @Test
  void map14AnIntentThatHasEnded() {
    explorer("update, reuse in a section")
        .given(
            store -> {
              for (int i = 0; i < 8; i++) {
                store.put("filler.." + i, "x");
              }
              for (int i = 0; i < 4; i++) {
                store.remove("filler.." + i);
              }
            })
        .step("put", store -> store.put("keyFour.", "4"))
        .step(
            "a section",
            store ->
                atomically(
                    () -> {
                      store.remove("keyFour.");
                      for (int i = 0; i < 5; i++) {
                        store.put("again..." + i, "x");
                      }
                    }))
        .step("put", store -> store.put("keyFive.", "5"))
        .explore();
  }

  @Test
  void p1GrowthInASection() {
    explorer("section, growth")
        .step(
            "a section",
            store ->
                atomically(
                    () -> {
                      for (int i = 0; i < 24; i++) {
                        store.put("key.." + i, "v");
                      }
                    }))
        .explore();
  }

  @Test
  void p1PutAll() {
    explorer("putAll")
        .thoroughInBothForms() // crashes of an opening show the order of what it completes
        .step(
            "several",
            store ->
                store
                    .map()
                    .putAll(
                        List.of(
                            entry("keyOne..", "new"),
                            entry("keyTwo..", text("new", 200)),
                            entry("keyFour.", "4"))))
        .explore();
  }

  private static EncodedEntry entry(String key, String value) {
    return new EncodedEntry(MapRegion.encoded(key), MapRegion.encoded(value));
  }

  @Test
  void map7Clear() {
    explorer("clear")
        .given(
            store -> {
              for (int i = 0; i < 400; i++) { // two segments, chunks of several sizes
                store.put("filler.." + i, "x");
              }
            })
        .bounds(new Bounds(4, 4, 4, 30))
        .step("clear", store -> store.map().clear())
        .step("put", store -> store.put("keyOne..", "1"))
        .step("clear in a section", store -> atomically(() -> store.map().clear()))
        .step("put", store -> store.put("keyOne..", "2"))
        .step("clear", store -> store.map().clear())
        .explore();
  }

  @Test
  void p2WhatIsSeenIsDependedOn() {
    String other = inOtherStripe("k");
    Map<String, String> before = Map.of("k", "1", other, "1");
    CrashExplorer.Action<MapRegion> reads =
        store -> {
          assertThat(store.get("k")).isEqualTo("2");
          store.put(other, "seen");
        };
    MapCrashes.explorer("read of an open put", durability)
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
              Map<String, String> after = Map.of("k", "2", other, "seen");
              if (isInFlight(point, 3)) {
                assertThat(store.state()).isIn(before, after);
              } else {
                assertThat(store.state()).isEqualTo(point.acknowledged() < 3 ? before : after);
              }
            })
        .step("A", "A puts", store -> begin(() -> store.put("k", "2")))
        .step("B", "B reads and puts", reads)
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

  private static void begin(Runnable action) {
    SectionHooks.enter();
    action.run();
  }
}
