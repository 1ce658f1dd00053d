package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.core.Durability;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/// Whether failures of a disk find what they are there for.
class DiskFailureModelTest {
  private static CrashExplorer<Holdfast> explorer() {
    return CrashExplorer.<Holdfast>of(
            "orders", memory -> new HoldfastOpener().open(memory, Durability.PROCESS_CRASH))
        .acknowledging()
        .thoroughInBothForms()
        .given(store -> orders(store).addAll(List.of("one", "two")))
        .given(store -> bills(store).add("zero"));
  }

  private static Queue<String> orders(Holdfast store) {
    return store.queue("orders", String.class);
  }

  private static Queue<String> bills(Holdfast store) {
    return store.queue("bills", String.class);
  }

  private static void move(Holdfast store) {
    bills(store).add(orders(store).remove());
  }

  private static Object everything(Holdfast store) {
    return List.of(List.copyOf(orders(store)), List.copyOf(bills(store)));
  }

  @Test
  void whatIsAtomicAndDurableSurvives() {
    explorer()
        .step("move", store -> store.atomically(() -> move(store)))
        .step("move again", store -> store.atomically(() -> move(store)))
        .state(DiskFailureModelTest::everything)
        .exploreOnDisk(40);
  }

  @Test
  void aMissingSectionIsFound() {
    CrashExplorer<Holdfast> explorer =
        explorer()
            .step("move", DiskFailureModelTest::move)
            .step("move again", DiskFailureModelTest::move)
            .check(
                (store, point) -> {
                  List<String> both = new ArrayList<>(orders(store));
                  both.addAll(bills(store));
                  assertThat(both).containsExactlyInAnyOrder("zero", "one", "two");
                });
    assertThatThrownBy(() -> explorer.exploreOnDisk(40))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("is not survived on a disk")
        .hasMessageContaining("in flight: move");
  }

  /// A kill leaves it, a loss of power does not; unless the log, which writes it 50 ms later, was
  /// faster than a thread that was kept from its processor. Then the next run shows it.
  @Test
  void whatIsAcknowledgedTooEarlyIsFound() {
    CrashExplorer<Holdfast> explorer =
        explorer()
            .step("move", store -> store.relaxed(() -> move(store)))
            .step("another", store -> store.transaction(() -> move(store)))
            .check(
                (store, point) ->
                    assertThat(bills(store)).hasSizeGreaterThan(point.acknowledged()));
    assertThatThrownBy(
            () -> {
              for (int run = 0; run < 20; run++) {
                explorer.exploreOnDisk(40);
              }
            })
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("a loss of power is not survived on a disk")
        .hasMessageContaining("1 steps acknowledged");
  }
}
