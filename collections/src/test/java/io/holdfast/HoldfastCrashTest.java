package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.CrashTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;

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

  private static Map<String, Integer> stock(Holdfast store) {
    return store.hashMap("stock", String.class, Integer.class);
  }

  @CrashTest
  void anOrderIsTakenFromStockOrNot(CrashExplorer<Holdfast> explorer) {
    explorer
        .given(store -> stock(store).putAll(Map.of("apple", 3, "pear", 1)))
        .given(store -> orders(store).add("pear"))
        .step("an order", store -> store.atomically(() -> takeFromStock(store)))
        .step("more", store -> stock(store).putAll(Map.of("pear", 7, "plum", 2)))
        .step("none", store -> stock(store).clear())
        .state(store -> List.of(List.copyOf(orders(store)), new TreeMap<>(stock(store))));
  }

  private static void takeFromStock(Holdfast store) {
    stock(store).computeIfPresent(orders(store).remove(), (name, left) -> left == 1 ? null : left);
  }

  @CrashTest
  void aMapIsRenamedAndDeleted(CrashExplorer<Holdfast> explorer) {
    explorer
        .given(store -> stock(store).put("apple", 3))
        .step("rename", store -> store.rename("stock", "old stock"))
        .step("delete", store -> store.delete("old stock"))
        .step("create", store -> stock(store))
        .step("put", store -> stock(store).put("pear", 1))
        .state(
            store ->
                store.roots().stream()
                    .map(
                        root ->
                            root.name() + store.hashMap(root.name(), String.class, Integer.class))
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
