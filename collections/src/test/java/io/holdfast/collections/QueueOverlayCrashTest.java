package io.holdfast.collections;

import static io.holdfast.collections.QueueRegion.atomically;
import static io.holdfast.collections.RawCodec.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Durability;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.Bounds;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.Exploration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// Crashes at every store of the end of sections that have claimed elements and added others: all
/// of it is there or nothing, at its place.
@ParameterizedClass
@EnumSource(Durability.class)
class QueueOverlayCrashTest {
  private static final Bounds SHORT = new Bounds(8, 10, 8, 100);

  @Parameter Durability durability;

  private CrashExplorer<QueueRegion> given(String name, String... elements) {
    return QueueCrashes.explorer(name, QueueRegion.BYTES, durability)
        .bounds(SHORT)
        .given(
            store -> {
              store.createUsed("q").addAll(List.of(elements));
              store.createUsed("r");
            });
  }

  private static PersistentQueue<String> q(QueueRegion store) {
    return store.queue("q");
  }

  private static void begin(Runnable action) {
    SectionHooks.enter();
    action.run();
  }

  @Test
  void held1AllOrNothing() {
    Exploration done =
        given("claims and offers", "a", "b", text("c", 3_000), "d")
            .step(
                "from the front, and added",
                store ->
                    atomically(
                        () -> {
                          store.queue("r").add(q(store).remove());
                          store.queue("r").add("x");
                          q(store).add(text("y", 2_500));
                        }))
            .step(
                "from the middle, and all",
                store ->
                    atomically(
                        () -> {
                          assertThat(q(store).remove("d")).isTrue();
                          store.queue("r").addAll(new ArrayList<>(q(store)));
                          q(store).clear();
                          q(store).add("z");
                        }))
            .step("and goes on", store -> assertThat(q(store).poll()).isEqualTo("z"))
            .explore();
    assertThat(done.points()).isGreaterThan(10);
  }

  /// B's section ends while A's is open, whose element is before B's.
  @Test
  void claim4WhatAnotherHasFinishedStaysSo() {
    Map<String, List<String>> before = Map.of("q", List.of("a", "b", "c"), "r", List.of());
    Map<String, List<String>> byB = Map.of("q", List.of("a", "c"), "r", List.of("b"));
    Map<String, List<String>> byBoth = Map.of("q", List.of("c"), "r", List.of("b", "a"));
    given("an open claim in front", "a", "b", "c")
        .withoutModel()
        .check(
            (store, point) -> {
              int acknowledged = point.acknowledged();
              if (point.inFlight() != null && acknowledged == 1) {
                assertThat(store.state()).isIn(before, byB);
              } else if (point.inFlight() != null && acknowledged == 2) {
                assertThat(store.state()).isIn(byB, byBoth);
              } else {
                assertThat(store.state())
                    .isEqualTo(acknowledged < 2 ? before : acknowledged < 3 ? byB : byBoth);
              }
            })
        .step("A", "A polls", store -> begin(() -> store.queue("r").add(q(store).remove())))
        .step("B", "B moves", store -> atomically(() -> store.queue("r").add(q(store).remove())))
        .step("A", "A ends", store -> SectionHooks.exit())
        .explore();
  }

  /// A poll outside of sections takes an element from behind one that is claimed.
  @Test
  void claim4ASinglePollPassesOver() {
    Map<String, List<String>> before = Map.of("q", List.of("a", text("b", 1), "c"), "r", List.of());
    Map<String, List<String>> polled = Map.of("q", List.of("a", "c"), "r", List.of());
    Map<String, List<String>> ended = Map.of("q", List.of("c"), "r", List.of());
    given("a poll over a claim", "a", text("b", 1), "c")
        .withoutModel()
        .check(
            (store, point) -> {
              if (point.inFlight() == null) {
                assertThat(store.state())
                    .isEqualTo(List.of(before, before, polled, ended).get(point.acknowledged()));
              } else {
                assertThat(store.state()).isIn(before, polled, ended);
              }
            })
        .step("A", "A polls", store -> begin(() -> q(store).remove()))
        .step("B", "B polls", store -> q(store).remove())
        .step("A", "A ends", store -> SectionHooks.exit())
        .explore();
  }
}
