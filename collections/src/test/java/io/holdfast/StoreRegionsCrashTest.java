package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Durability;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.CrashTest;
import io.holdfast.testkit.RecordingMemory;
import io.holdfast.testkit.SynchronizationFreeOpener;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// Crashes of a store whose sections end at releases, over collections, which hold changes back
/// until then: R1, R4 and R5.
class StoreRegionsCrashTest {
  private static final DurableLock OUTER = new DurableLock(), INNER = new DurableLock();

  private static final Object BEFORE = state(List.of("one"), Map.of(), Map.of());
  private static final Object FIRST = state(List.of(), Map.of("one", 1), Map.of());
  private static final Object BOTH = state(List.of("two"), Map.of(), Map.of("one", 1));

  private static Queue<String> orders(Holdfast store) {
    return store.queue("orders", String.class);
  }

  private static Map<String, Integer> open(Holdfast store) {
    return store.hashMap("open", String.class, Integer.class);
  }

  private static Map<String, Integer> sold(Holdfast store) {
    return store.treeMap("sold", String.class, Integer.class);
  }

  private static Object state(
      List<String> orders, Map<String, Integer> open, Map<String, Integer> sold) {
    return List.of(orders, open, sold);
  }

  private static Object state(Holdfast store) {
    return state(
        List.copyOf(orders(store)), new TreeMap<>(open(store)), new TreeMap<>(sold(store)));
  }

  private static void take(Holdfast store) {
    open(store).put(orders(store).remove(), 1);
  }

  private static void sell(Holdfast store) {
    sold(store).put("one", open(store).remove("one"));
    orders(store).add("two");
  }

  private static void underOuter(Runnable action) {
    OUTER.lock();
    try {
      action.run();
    } finally {
      OUTER.unlock();
    }
  }

  private static void releaseInner() {
    INNER.lock();
    INNER.unlock();
  }

  private static CrashExplorer<Holdfast> prepared(CrashExplorer<Holdfast> explorer) {
    return explorer
        .given(store -> orders(store).add("one"))
        .given(StoreRegionsCrashTest::open)
        .given(StoreRegionsCrashTest::sold)
        .state(StoreRegionsCrashTest::state);
  }

  /// An inner release ends a section: of each part all is there, or nothing, and never the second
  /// one alone.
  @CrashTest(opener = SynchronizationFreeOpener.class)
  void r1EachPartIsWhole(CrashExplorer<Holdfast> explorer) {
    prepared(explorer)
        .withoutModel()
        .step(
            "two parts",
            store ->
                underOuter(
                    () -> {
                      take(store);
                      releaseInner();
                      sell(store);
                    }))
        .check((store, _) -> assertThat(state(store)).isIn(BEFORE, FIRST, BOTH));
  }

  /// What collections store at a section's end they store under their own locks, one collection
  /// after the other.
  @CrashTest(opener = SynchronizationFreeOpener.class)
  void r4LocksOfCollectionsEndNothing(CrashExplorer<Holdfast> explorer) {
    prepared(explorer)
        .step("both, under one lock", store -> underOuter(() -> both(store)))
        .step("and a third", store -> underOuter(() -> take(store)));
  }

  private static void both(Holdfast store) {
    take(store);
    sell(store);
  }

  /// A function is called under a lock of its collection's, so its releases end nothing either.
  @CrashTest(opener = SynchronizationFreeOpener.class)
  void r4AnOperationIsWhole(CrashExplorer<Holdfast> explorer) {
    prepared(explorer)
        .step(
            "a function",
            store -> {
              Queue<String> orders = orders(store);
              Map<String, Integer> sold = sold(store);
              open(store)
                  .compute(
                      "two",
                      (_, _) -> {
                        sold.put(orders.remove(), 1);
                        releaseInner();
                        return 2;
                      });
            });
  }

  @CrashTest(opener = SynchronizationFreeOpener.class)
  void r4ABlockIsWhole(CrashExplorer<Holdfast> explorer) {
    prepared(explorer)
        .step(
            "both, with a release between them",
            store ->
                store.atomically(
                    () -> {
                      take(store);
                      releaseInner();
                      sell(store);
                    }));
  }

  /// Before the lock is given up, not after it.
  @Test
  void r5IsThereBeforeItIsReleased() {
    RecordingMemory memory = new RecordingMemory();
    SynchronizationFreeOpener opener = new SynchronizationFreeOpener();
    try (Holdfast store = opener.open(memory, Durability.PROCESS_CRASH)) {
      orders(store).add("one");
      underOuter(
          () -> {
            take(store);
            assertThat(afterACrash(memory)).isEqualTo(BEFORE);
            releaseInner();
            assertThat(afterACrash(memory)).isEqualTo(FIRST);
            sell(store);
            assertThat(afterACrash(memory)).isEqualTo(FIRST);
          });
      assertThat(afterACrash(memory)).isEqualTo(BOTH);
    }
  }

  /// By a thread that is in no section.
  private static Object afterACrash(RecordingMemory memory) {
    RecordingMemory image = memory.copy();
    return CompletableFuture.supplyAsync(
            () -> {
              try (Holdfast recovered = Holdfast.over(image)) {
                return state(recovered);
              }
            })
        .join();
  }
}
