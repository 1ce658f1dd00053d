package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.core.explorer.CrashExplorer;
import io.holdfast.core.explorer.CrashTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/// Crashes in a user's program, tested as a user would: with no more than the test kit.
class HoldfastCrashTest {
  private static Queue<String> orders(Holdfast store) {
    return store.queue("orders", String.class);
  }

  private static Queue<String> bills(Holdfast store) {
    return store.queue("bills", String.class);
  }

  /// All there is of orders and bills.
  private static List<String> both(Holdfast store) {
    List<String> both = new ArrayList<>(orders(store));
    both.addAll(bills(store));
    return both;
  }

  @CrashTest
  void anOrderIsMovedOrNot(CrashExplorer<Holdfast> explorer) {
    explorer
        .given(store -> orders(store).add("one"))
        .given(store -> bills(store).add("zero"))
        .step("move", store -> store.atomically(() -> bills(store).add(orders(store).remove())))
        .state(store -> List.of(List.copyOf(orders(store)), List.copyOf(bills(store))))
        .check((store, point) -> assertThat(both(store)).containsExactlyInAnyOrder("zero", "one"));
  }

  @CrashTest
  void aCollectionIsRenamedAndAnotherDeleted(CrashExplorer<Holdfast> explorer) {
    explorer
        .given(store -> orders(store).add("one"))
        .given(store -> bills(store).add("zero"))
        .step("rename", store -> store.rename("orders", "old orders"))
        .step("delete", store -> store.delete("bills"))
        .step("create", store -> bills(store))
        .state(
            store ->
                store.roots().stream()
                    .map(root -> root.name() + store.queue(root.name(), String.class))
                    .toList());
  }

  /// What a user sees who forgot that two changes belong together.
  @CrashTest
  void aMissingSectionIsFound(CrashExplorer<Holdfast> explorer) {
    explorer
        .given(store -> orders(store).add("one"))
        .step("move", store -> bills(store).add(orders(store).remove()))
        .check((store, point) -> assertThat(both(store)).containsExactly("one"));
    assertThatThrownBy(explorer::explore)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("in flight: move")
        .hasMessageContaining("aMissingSectionIsFound");
  }
}
