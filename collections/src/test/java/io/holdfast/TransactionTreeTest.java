package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import com.sun.management.ThreadMXBean;
import io.holdfast.codec.Codec;
import io.holdfast.collections.PersistentTreeMap;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Transactions and sections over sorted maps: ranges, neighbours, and the leaves that changes go
/// into.
@Timeout(60)
class TransactionTreeTest {
  @TempDir Path dir;
  private Holdfast store;
  private PersistentTreeMap<Long, Long> map;

  @BeforeEach
  void open() {
    store = Holdfast.open(dir.resolve("t.hf"));
    map = store.treeMap("map", Long.class, Long.class);
    for (long i = 0; i < 10; i++) {
      map.put(i * 10, i);
    }
  }

  @AfterEach
  void close() {
    assertThat(map.validate()).isEqualTo(map.size());
    store.close();
  }

  private static void inAnotherThread(Runnable action) {
    Throwable[] thrown = new Throwable[1];
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    action.run();
                  } catch (Throwable e) {
                    thrown[0] = e;
                  }
                });
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    assertThat(thrown[0]).isNull();
  }

  private static <T> T seenByAnother(Supplier<T> look) {
    List<T> seen = new ArrayList<>();
    inAnotherThread(() -> seen.add(look.get()));
    return seen.getFirst();
  }

  /// A section that is undone makes all hints of a map stale that it has changed in place, as it
  /// does one in a comparator's order. A commit that looked again at what it had read made them
  /// anew, and then waited for ever for its own change of the leaf to be over.
  @Test
  void aCommitLooksAtALeafWhoseHintsAreStale() {
    NavigableMap<Long, Long> reverse =
        store.treeMap(
            "reverse",
            Codec.of(Long.class),
            Codec.of(Long.class),
            "reverse",
            Comparator.<Long>reverseOrder());
    reverse.put(1L, 1L);
    List<Long> seen = new ArrayList<>();
    store.transaction(
        () -> {
          seen.add(reverse.get(1L));
          if (seen.size() == 1) {
            inAnotherThread(() -> undone(() -> reverse.put(2L, 2L)));
          }
          reverse.put(1L, 3L);
        });
    assertThat(seen).containsOnly(1L);
    assertThat(reverse).containsExactly(Map.entry(1L, 3L));
  }

  private void undone(Runnable action) {
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(
            () ->
                store.allOrNothing(
                    () -> {
                      action.run();
                      throw new IllegalStateException("of this test");
                    }))
        .withMessage("of this test");
  }

  /// Runs a body in which another thread changes something after the first reading.
  ///
  /// @return what was read, once for each run
  private List<Object> read(LongFunction<Object> reading, Runnable change) {
    List<Object> seen = new ArrayList<>();
    store.transaction(
        () -> {
          seen.add(reading.apply(seen.size()));
          if (seen.size() == 1) {
            inAnotherThread(change);
          }
          map.put(-1L, (long) seen.size());
        });
    return seen;
  }

  @Test
  void page1ARangeThatWasReadHasNoNewKey() {
    assertThat(read(_ -> List.copyOf(map.subMap(20L, 50L).keySet()), () -> map.put(33L, 1L)))
        .containsExactly(List.of(20L, 30L, 40L), List.of(20L, 30L, 33L, 40L));
    assertThat(store.transactions().aborted()).isEqualTo(1);
  }

  @Test
  void t1ARangeInWhichAKeyWasRemovedOrReplacedIsReadAgain() {
    assertThat(read(_ -> map.headMap(30L).size(), () -> map.remove(10L))).containsExactly(3, 2);
    // The second reading begins with the first one's own key.
    assertThat(read(_ -> List.copyOf(map.tailMap(80L).values()), () -> map.put(90L, 7L)))
        .containsExactly(List.of(8L, 9L), List.of(8L, 7L));
  }

  @Test
  void otherKeysOfALeafAreNoConflict() {
    assertThat(
            read(
                _ -> List.copyOf(map.subMap(20L, true, 40L, true).keySet()),
                () -> {
                  map.put(41L, 1L);
                  map.remove(10L);
                  map.put(19L, 1L);
                }))
        .hasSize(1);
    assertThat(read(_ -> map.ceilingKey(45L), () -> map.put(55L, 1L))).containsExactly(50L);
    assertThat(read(_ -> map.get(70L), () -> map.put(71L, 1L))).containsExactly(7L);
    assertThat(store.transactions().aborted()).isZero();
  }

  @Test
  void t1NeighboursAreRanges() {
    assertThat(read(_ -> map.ceilingKey(45L), () -> map.put(47L, 1L))).containsExactly(50L, 47L);
    assertThat(read(_ -> map.lowerKey(20L), () -> map.put(15L, 1L))).containsExactly(10L, 15L);
    assertThat(read(_ -> map.lastKey(), () -> map.put(95L, 1L))).containsExactly(90L, 95L);
    assertThat(read(_ -> map.subMap(51L, 59L).isEmpty(), () -> map.put(55L, 1L)))
        .containsExactly(true, false);
    assertThat(read(_ -> map.subMap(61L, 64L).isEmpty(), () -> map.put(65L, 1L)))
        .containsExactly(true);
  }

  @Test
  void t1SizesAndRanksAreReadings() {
    assertThat(read(_ -> map.size(), () -> map.put(5L, 1L))).containsExactly(10, 11);
    map.remove(-1L);
    assertThat(read(_ -> map.indexOf(40L), () -> map.put(6L, 1L))).containsExactly(5L, 6L);
    map.remove(-1L);
    assertThat(read(_ -> map.keyAt(2), () -> map.remove(5L))).containsExactly(6L, 10L);
  }

  @Test
  void t1TheSizeIsRecordedOnce() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    int[] runs = new int[1];
    store.transaction(
        () -> {
          map.put(5L, 5L);
          assertThat(map.size()).isEqualTo(11 + runs[0]);
          long before = threads.getCurrentThreadAllocatedBytes();
          for (int i = 0; i < 1_000; i++) {
            map.size();
          }
          assertThat((threads.getCurrentThreadAllocatedBytes() - before) / 1_000).isLessThan(1_000);
          map.remove(10L);
          assertThat(map.size()).isEqualTo(10 + runs[0]);
          if (runs[0]++ == 0) {
            inAnotherThread(() -> map.put(6L, 6L));
            map.size(); // ends the run
          }
        });
    assertThat(runs[0]).isEqualTo(2);
    assertThat(map).hasSize(11);
  }

  @Test
  void t1ManyLeaves() {
    for (long i = 0; i < 2_000; i++) {
      map.put(i, i);
    }
    assertThat(read(_ -> map.values().stream().mapToLong(v -> v).sum(), () -> map.put(1_500L, 0L)))
        .containsExactly(1_999_000L, 1_997_500L);
  }

  /// Two that each take one of two, if both are there: one of them must see that one is gone.
  @Test
  void t1NoWriteSkewOverRanges() throws Exception {
    for (int round = 0; round < 200; round++) {
      map.put(1L, 1L);
      map.put(2L, 1L);
      CountDownLatch both = new CountDownLatch(2);
      List<Thread> threads = new ArrayList<>();
      for (long mine = 1; mine <= 2; mine++) {
        long its = mine;
        threads.add(
            Thread.ofPlatform()
                .start(
                    () -> {
                      both.countDown();
                      store.transaction(
                          () -> {
                            if (map.subMap(1L, 3L).size() == 2) {
                              map.remove(its);
                            }
                          });
                    }));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(map.subMap(1L, 3L)).hasSize(1);
    }
  }

  @Test
  void t5AnExceptionLeavesNothing() {
    Map<Long, Long> before = new TreeMap<>(map);
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(
            () ->
                store.transaction(
                    () -> {
                      map.pollFirstEntry();
                      map.put(5L, 1L);
                      map.subMap(20L, 60L).clear();
                      throw new ArithmeticException();
                    }));
    assertThat(map).isEqualTo(before);
  }

  @Test
  void clearingAndLoading() {
    store.transaction(
        () -> {
          map.clear();
          assertThat(map).isEmpty();
          assertThat(map.load(List.of(Map.entry(1L, 1L), Map.entry(2L, 2L)).iterator()))
              .isEqualTo(2);
          assertThatIllegalArgumentException()
              .isThrownBy(() -> map.load(List.of(Map.entry(2L, 1L)).iterator()));
        });
    assertThat(map).containsExactly(Map.entry(1L, 1L), Map.entry(2L, 2L));
    store.atomically(
        () -> {
          map.put(3L, 3L);
          map.clear();
          map.put(4L, 4L);
          map.load(List.of(Map.entry(5L, 5L)).iterator());
        });
    assertThat(map).containsExactly(Map.entry(4L, 4L), Map.entry(5L, 5L));
  }

  @Test
  void t7WithWhatTheSectionAroundItHoldsBack() {
    store.atomically(
        () -> {
          map.put(5L, 5L);
          map.remove(0L);
          store.transaction(
              () -> {
                assertThat(map.firstKey()).isEqualTo(5L);
                assertThat(map.size()).isEqualTo(10);
                map.put(6L, 6L);
                assertThat(map.headMap(20L).keySet()).containsExactly(5L, 6L, 10L);
                assertThat(map.size()).isEqualTo(11);
              });
          assertThat(map.headMap(20L).keySet()).containsExactly(5L, 6L, 10L);
        });
    assertThat(map.headMap(20L).keySet()).containsExactly(5L, 6L, 10L);
  }

  @Test
  void nobodyLooksIntoASection() {
    store.atomically(
        () -> {
          map.put(5L, 5L);
          map.remove(10L);
          assertThat(map.headMap(20L).keySet()).containsExactly(0L, 5L);
          assertThat(seenByAnother(() -> List.copyOf(map.headMap(20L).keySet())))
              .containsExactly(0L, 10L);
        });
    assertThat(map.headMap(20L).keySet()).containsExactly(0L, 5L);
  }

  @Test
  void anIteratorKnowsWhatItsSectionRemoves() {
    store.atomically(
        () -> {
          Iterator<Long> keys = map.keySet().iterator();
          assertThat(keys.next()).isZero();
          assertThat(keys.next()).isEqualTo(10L);
          keys.remove();
          map.remove(30L);
          assertThat(keys.next()).isEqualTo(20L);
          assertThat(keys.next()).isIn(30L, 40L);
          assertThat(keys.next()).isIn(40L, 50L);
        });
    assertThat(map).hasSize(8);
  }

  @Test
  void claim1SingleOperationsBuildOnWhatIsHeldBack() {
    store.atomically(
        () -> {
          map.put(11L, 1L);
          map.remove(10L);
          map.put(30L, 33L);
          inAnotherThread(
              () -> {
                assertThat(map.merge(11L, 4L, Long::sum)).isEqualTo(5L);
                assertThat(map.remove(10L)).isNull();
                assertThat(map.put(30L, 34L)).isEqualTo(33L);
                assertThat(map.putIfAbsent(10L, 9L)).isNull();
              });
        });
    assertThat(map).containsEntry(11L, 5L).containsEntry(10L, 9L).containsEntry(30L, 34L);
  }

  @Test
  void claim2WhatIsClearedOrLoadedOverIsNotStored() {
    store.atomically(
        () -> {
          map.put(11L, 1L);
          map.put(200L, 1L);
          inAnotherThread(map::clear);
        });
    assertThat(map).isEmpty();
    store.atomically(
        () -> {
          map.put(11L, 1L);
          inAnotherThread(
              () -> map.load(List.of(Map.entry(10L, 2L), Map.entry(11L, 2L)).iterator()));
        });
    assertThat(map).containsExactly(Map.entry(10L, 2L), Map.entry(11L, 2L));
  }

  @Test
  void aSectionWhoseMapIsDeletedEnds() {
    PersistentTreeMap<Long, Long> other = store.treeMap("other", Long.class, Long.class);
    store.atomically(
        () -> {
          other.put(1L, 1L);
          map.put(1L, 1L);
          inAnotherThread(() -> store.delete("other"));
        });
    assertThat(map).containsEntry(1L, 1L);
    assertThat(store.treeMap("other", Long.class, Long.class)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void claim1NoUpdateIsLost(boolean isTransaction) throws Exception {
    Consumer<Runnable> block = isTransaction ? store::transaction : store::atomically;
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 2; t++) {
      int its = t;
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (long i = 0; i < 10_000; i++) {
                      long key = 1_000 + 2 * i + its;
                      block.accept(
                          () -> {
                            map.merge(50L, 1L, Long::sum);
                            map.put(key, key); // splits, now and then
                            map.remove(key - 200);
                          });
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(map).containsEntry(50L, 5L + 20_000);
  }

  /// Others look while sections split leaves at their ends: they never see a part of one.
  @Test
  void struct1ASplitIsNotSeenBeforeTheEnd() throws Exception {
    boolean[] isOver = new boolean[1];
    long sum = map.values().stream().mapToLong(v -> v).sum();
    Thread writer =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    for (long round = 1; round < 400; round++) {
                      long base = 1_000 * (round % 20);
                      store.atomically(
                          () -> {
                            for (long i = 0; i < 60; i++) {
                              if (map.remove(base + 5 + i * 10) == null) {
                                map.put(base + 5 + i * 10, i % 2 == 0 ? 1L : -1L);
                              }
                            }
                          });
                    }
                  } finally {
                    isOver[0] = true;
                  }
                });
    long looks = 0;
    while (writer.isAlive()) {
      long seen = store.transaction(() -> map.values().stream().mapToLong(v -> v).sum());
      assertThat(seen).isEqualTo(sum);
      looks++;
    }
    writer.join();
    assertThat(looks).isPositive();
    assertThat(isOver[0]).isTrue();
  }

  /// Keys that are level are one, whatever their bytes are.
  @Test
  void keysThatAreLevelAreOne() {
    PersistentTreeMap<String, Long> texts =
        store.treeMap(
            "texts",
            Codec.of(String.class),
            Codec.of(Long.class),
            "ignoring case",
            String.CASE_INSENSITIVE_ORDER);
    texts.put("b", 1L);
    store.transaction(
        () -> {
          texts.put("B", 2L);
          texts.put("a", 1L);
          texts.put("A", 3L);
          assertThat(texts.entrySet())
              .extracting(Map.Entry::getKey, Map.Entry::getValue)
              .containsExactly(tuple("a", 3L), tuple("b", 2L));
          assertThat(texts.size()).isEqualTo(2);
          assertThat(texts.ceilingKey("B")).isEqualTo("b");
        });
    assertThat(new ArrayList<>(texts.keySet())).containsExactly("a", "b");
    store.atomically(
        () -> {
          texts.merge("A", 1L, Long::sum);
          inAnotherThread(() -> texts.merge("a", 1L, Long::sum));
          inAnotherThread(() -> texts.remove("B"));
        });
    assertThat(texts).containsExactly(Map.entry("a", 5L));
  }

  @Test
  void gap1WhatComesIntoAGapIsFound() {
    for (boolean ascending : List.of(true, false)) {
      NavigableMap<Long, Long> seen = ascending ? map : map.descendingMap();
      long[] keys = ascending ? new long[] {0, 10, 20} : new long[] {90, 80, 70};
      int inwards = ascending ? 1 : -1;
      store.allOrNothing(
          () -> {
            assertThat(seen.pollFirstEntry().getKey()).isEqualTo(keys[0]);
            assertThat(seen.pollFirstEntry().getKey()).isEqualTo(keys[1]);
            assertThat(seen.firstKey()).isEqualTo(keys[2]);
            long another = keys[1] + inwards;
            inAnotherThread(() -> map.put(another, 1L));
            assertThat(seen.firstKey()).isEqualTo(another);
            inAnotherThread(() -> map.remove(another));
            assertThat(seen.firstKey()).isEqualTo(keys[2]);
            map.put(keys[0], 1L);
            assertThat(seen.keySet().iterator().next()).isEqualTo(keys[0]);
            map.remove(keys[0]);
            assertThat(seen.keySet().iterator().next()).isEqualTo(keys[2]);
            map.put(keys[0], 0L);
            map.put(keys[1], 1L);
          });
      store.transaction(
          () -> {
            assertThat(seen.pollFirstEntry().getKey()).isEqualTo(keys[0]);
            Transaction.orElse(
                () -> {
                  assertThat(seen.pollFirstEntry().getKey()).isEqualTo(keys[1]);
                  assertThat(seen.firstKey()).isEqualTo(keys[2]);
                  return Transaction.retry();
                },
                () -> assertThat(seen.firstKey()).isEqualTo(keys[1]).actual());
            assertThat(seen.tailMap(keys[1], false).firstKey()).isEqualTo(keys[2]);
            map.put(keys[0], 0L);
            assertThat(seen.firstKey()).isEqualTo(keys[0]);
          });
      assertThat(map).hasSize(10);
      // A gap is a reading, too.
      assertThat(
              read(
                  run -> {
                    seen.pollFirstEntry();
                    seen.pollFirstEntry();
                    return seen.firstKey();
                  },
                  () -> map.put(keys[1] + inwards, 1L)))
          .hasSize(2);
      map.clear();
      for (long i = 0; i < 10; i++) {
        map.put(i * 10, i);
      }
    }
  }

  /// A poll does not go over the entries that earlier polls have removed.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void gap1ManyPollsTakeLittleMemory(boolean isTransaction) {
    Consumer<Runnable> block = isTransaction ? store::transaction : store::atomically;
    int count = 4_000;
    map.clear();
    for (long i = 0; i < count; i++) {
      map.put(i, i);
    }
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    block.accept(
        () -> {
          for (long i = 0; i < count / 2; i++) {
            assertThat(map.pollFirstEntry().getKey()).isEqualTo(i);
            assertThat(map.pollLastEntry().getKey()).isEqualTo(count - 1 - i);
          }
          assertThat(map).isEmpty();
        });
    long each = (threads.getCurrentThreadAllocatedBytes() - before) / count;
    assertThat(each).isLessThan(64 << 10);
    assertThat(map).isEmpty();
  }
}
