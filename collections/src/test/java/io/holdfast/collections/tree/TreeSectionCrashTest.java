package io.holdfast.collections.tree;

import static io.holdfast.collections.RawCodec.text;
import static io.holdfast.core.fixture.Words.atomically;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Durability;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.Bounds;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.CrashPoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// What is done to a tree inside of a section stands and falls with it (P1), and who sees what an
/// open section did depends on it (P2).
@ParameterizedClass
@EnumSource(Durability.class)
class TreeSectionCrashTest {
  private static final Bounds SHORT = new Bounds(4, 6, 4, 24);

  @Parameter Durability durability;

  private CrashExplorer<TreeRegion> explorer(String name, CrashExplorer.Action<TreeRegion> given) {
    return TreeCrashes.explorer(name, durability)
        .bounds(SHORT)
        .crashesOfRecovery(durability == Durability.PROCESS_CRASH ? 1 : 0)
        .given(
            store -> {
              store.create();
              given.run(store);
            });
  }

  @Test
  void p1SeveralInASection() {
    explorer("section", store -> store.fill(0, 6).put("keyTwo..", text("former", 200)))
        .step(
            "a section",
            store ->
                atomically(
                    () -> {
                      store.put("keyOne..", "new");
                      store.remove("key00003");
                      store.put("key00004", "replaced");
                      store.put("keyTwo..", text("new", 150));
                      store.put("keyFour.", text("outside", 700));
                    }))
        .step("outside", store -> store.put("keyOne..", "newer"))
        .step("outside", store -> store.put("keyTwo..", text("newer", 200)))
        .explore();
  }

  @Test
  void p1SplitsAndMergesInASection() {
    explorer("section, splits", store -> store.fill(0, 50))
        .step("splits", store -> atomically(() -> store.fill(50, 150)))
        .step(
            "merges",
            store ->
                atomically(
                    () -> {
                      for (int i = 0; i < 140; i++) {
                        store.remove(store.key(i));
                      }
                    }))
        .step("outside", store -> store.put("keyOne..", "1"))
        .explore();
  }

  @Test
  void tree7Clear() {
    explorer("clear", store -> store.fill(0, 200).put("keyTwo..", text("outside", 700)))
        .step("clear", store -> store.tree().clear())
        .step("put", store -> store.put("keyOne..", "1"))
        .step("clear in a section", store -> atomically(() -> store.tree().clear()))
        .step("put", store -> store.put("keyOne..", "2"))
        .step("clear", store -> store.tree().clear())
        .explore();
  }

  /// The two keys are in different leaves, and values are replaced in place, so that no lock makes
  /// the second section depend.
  ///
  /// Shows TREE-6.
  @Test
  void p2WhatIsSeenIsDependedOn() {
    String read = "key00000";
    String put = "key00149";
    explorer("read of an open put", store -> store.fill(0, 150))
        .withoutModel()
        .crashesOfRecovery(0)
        .check(
            (store, point) -> {
              boolean done = "replaced".equals(store.get(read));
              assertThat("seen....".equals(store.get(put)))
                  .as("the second section")
                  .isEqualTo(done);
              if (!isInFlight(point, 3)) {
                assertThat(done).isEqualTo(point.acknowledged() >= 3);
              }
            })
        .step("A", "A puts", store -> enterAndPut(store, read))
        .step(
            "B",
            "B reads and puts",
            store -> {
              assertThat(store.get(read)).isEqualTo("replaced");
              store.put(put, "seen....");
            })
        .step("A", "A ends", store -> SectionHooks.exit())
        .explore();
  }

  /// A clearing takes away what an open section stored, and others use the room: what is stored
  /// when that section is undone must not come there.
  @Test
  void p2WhatIsClearedIsDependedOn() {
    explorer("clear of an open put", store -> store.fill(0, 60))
        .withoutModel()
        .crashesOfRecovery(0)
        .check(
            (store, point) -> {
              boolean done = store.get("key00000") == null;
              assertThat(store.tree().validate()).isEqualTo(done ? 40 : 60);
              assertThat(store.get("key00000")).isNotEqualTo("replaced");
              if (!isInFlight(point, 3)) {
                assertThat(done).isEqualTo(point.acknowledged() >= 3);
              }
            })
        .step("A", "A puts", store -> enterAndPut(store, "key00000"))
        .step(
            "B",
            "B clears and fills",
            store -> {
              store.tree().clear();
              store.fill(60, 100);
            })
        .step("A", "A ends", store -> SectionHooks.exit())
        .explore();
  }

  /// Replaces a value in a section that stays open.
  private static void enterAndPut(TreeRegion store, String key) {
    SectionHooks.enter();
    store.put(key, "replaced");
  }

  private static boolean isInFlight(CrashPoint point, int step) {
    return point.inFlight() != null && point.acknowledged() + 1 == step;
  }
}
