package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.CrashTest;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;

/// Crashes while a section is undone by hand: whenever they come, what is there is what was there
/// before it.
class AllOrNothingCrashTest {
  private static Queue<String> orders(Holdfast store) {
    return store.queue("orders", String.class);
  }

  private static Map<String, Integer> stock(Holdfast store) {
    return store.hashMap("stock", String.class, Integer.class);
  }

  private static Map<String, Integer> sold(Holdfast store) {
    return store.treeMap("sold", String.class, Integer.class);
  }

  private static CrashExplorer<Holdfast> prepared(CrashExplorer<Holdfast> explorer) {
    return explorer
        .given(store -> orders(store).add("apple"))
        .given(store -> orders(store).add("pear"))
        .given(store -> stock(store).putAll(Map.of("apple", 3, "pear", 1)))
        .given(store -> sold(store).put("apple", 7))
        .state(
            store ->
                List.of(
                    List.copyOf(orders(store)),
                    new TreeMap<>(stock(store)),
                    new TreeMap<>(sold(store)),
                    store.roots().size()));
  }

  private static void sell(Holdfast store) {
    String name = orders(store).remove();
    stock(store).merge(name, -1, Integer::sum);
    sold(store).merge(name, 1, Integer::sum);
  }

  private static void fail(Holdfast store, Runnable action) {
    IllegalStateException thrown = new IllegalStateException("of the action");
    assertThat(
            catchThrowable(
                () ->
                    store.allOrNothing(
                        () -> {
                          action.run();
                          throw thrown;
                        })))
        .isSameAs(thrown);
  }

  @CrashTest
  void p1NothingStays(CrashExplorer<Holdfast> explorer) {
    prepared(explorer)
        .step("undone", store -> fail(store, () -> sell(store)))
        .step("and one that stays", store -> store.allOrNothing(() -> sell(store)));
  }

  /// What was stored in place before the exception, because a lock was given up.
  @CrashTest
  void p1NothingStaysOfWhatWasStored(CrashExplorer<Holdfast> explorer) {
    DurableLock lock = new DurableLock();
    prepared(explorer)
        .step(
            "undone",
            store ->
                fail(
                    store,
                    () -> {
                      sell(store);
                      lock.lock();
                      lock.unlock();
                      sell(store);
                    }))
        .step("and one that stays", store -> store.allOrNothing(() -> sell(store)));
  }

  @CrashTest
  void p1NothingStaysOfACollection(CrashExplorer<Holdfast> explorer) {
    prepared(explorer)
        .step(
            "undone",
            store ->
                fail(
                    store,
                    () -> {
                      store.queue("bills", String.class).add("a bill");
                      store.delete("sold");
                    }))
        .step("made", store -> store.queue("bills", String.class));
  }
}
