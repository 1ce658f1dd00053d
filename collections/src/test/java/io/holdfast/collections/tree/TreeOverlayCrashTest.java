package io.holdfast.collections.tree;

import static io.holdfast.collections.RawCodec.text;
import static io.holdfast.core.fixture.Words.atomically;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.keyed.KeyedRegion;
import io.holdfast.collections.overlay.KeyedView;
import io.holdfast.collections.overlay.Overlaid;
import io.holdfast.collections.overlay.Transactions;
import io.holdfast.core.Durability;
import io.holdfast.testkit.Bounds;
import io.holdfast.testkit.CrashExplorer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// What sections and transactions hold back of a tree is there whole after a crash, or not at all
/// (HELD-1), also where leaves are split or merged while it is stored.
@ParameterizedClass
@EnumSource(Durability.class)
class TreeOverlayCrashTest {
  private static final Bounds SHORT = new Bounds(4, 6, 4, 24);

  @Parameter Durability durability;

  private CrashExplorer<TreeRegion> explorer(String name, int entries) {
    return TreeCrashes.explorer(name, durability)
        .bounds(SHORT)
        .crashesOfRecovery(durability == Durability.PROCESS_CRASH ? 1 : 0)
        .given(store -> store.create().fill(0, entries));
  }

  private static TreeRegion created(TreeRegion store) {
    store.create();
    return store;
  }

  /// Runs changes of a section, which holds them back.
  private interface Changes {
    void run(Held held);
  }

  private record Held(TreeRegion store, Overlaid overlaid) {
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

    void fill(int from, int to) {
      for (int i = from; i < to; i++) {
        put(store.key(i), "v%07d".formatted(i));
      }
    }
  }

  private static Held held(TreeRegion store) {
    return new Held(store, new Overlaid(store.region(), store.tree(), false));
  }

  private static void section(TreeRegion store, Changes changes) {
    Held held = held(store);
    atomically(() -> changes.run(held));
  }

  private static void transaction(TreeRegion store, Changes changes) {
    Held held = held(store);
    new Transactions("tree", store.region().sections())
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
    explorer("held back", 6)
        .step(
            "a section",
            store ->
                section(
                    store,
                    held -> {
                      held.put("keyOne..", "new");
                      held.remove("key00003");
                      held.put("key00004", "replaced");
                      held.put("keyTwo..", text("new", 150));
                      held.put("keyFour.", text("outside", 700));
                      held.remove("keyOne..");
                    }))
        .step(
            "a transaction",
            store ->
                transaction(
                    store,
                    held -> {
                      held.remove("keyFour.");
                      held.put("keyTwo..", "2");
                      held.put("key00000", "zero");
                    }))
        .step("outside", store -> store.put("keyTwo..", text("newer", 200)))
        .explore();
  }

  @Test
  void struct1SplitsAndMergesAtTheEnd() {
    explorer("held back, splits", 50)
        .crashesOfRecovery(0) // 200,000 images else
        .step("splits", store -> section(store, held -> held.fill(50, 150)))
        .step(
            "merges",
            store ->
                section(
                    store,
                    held -> {
                      for (int i = 0; i < 140; i++) {
                        held.remove(store.key(i));
                      }
                    }))
        .step("splits again", store -> transaction(store, held -> held.fill(20, 90)))
        .step("outside", store -> store.put("keyOne..", "1"))
        .explore();
  }

  @Test
  void theFirstLeafIsMadeAtTheEnd() {
    TreeCrashes.explorer("held back, empty", durability)
        .bounds(SHORT)
        .crashesOfRecovery(0)
        .given(TreeOverlayCrashTest::created)
        .step("the first", store -> section(store, held -> held.fill(0, 3)))
        .step("clear", store -> store.tree().clear())
        .step("many", store -> transaction(store, held -> held.fill(0, 80)))
        .explore();
  }
}
