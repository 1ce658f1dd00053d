package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.collections.PersistentDelayQueue;
import io.holdfast.collections.PersistentHashMap;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.collections.PersistentTreeMap;
import io.holdfast.core.fixture.HookedMemory;
import io.holdfast.core.section.commit.UncommittedReleases;
import io.holdfast.verification.OverlayMemory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// An operation of a thread that is in no section is one section, of which nobody learns before it
/// has ended.
class PlainOperationsTest {
  private Holdfast store;

  /// Stored by threads that wait for each other.
  private boolean isExposed;

  private interface Operation {
    void run() throws Exception;
  }

  @BeforeEach
  void open() {
    HookedMemory memory = new HookedMemory(OverlayMemory.empty());
    store = Holdfast.over(memory);
    memory.beforeEachStore(() -> isExposed |= isExposed());
  }

  @AfterEach
  void close() {
    store.close();
  }

  /// Whether the calling thread has made uncommitted releases: it is among those that do until it
  /// has ended a section without one.
  private static boolean isExposed() {
    return UncommittedReleases.exposed(Thread.currentThread()) != null;
  }

  /// Whether an operation makes uncommitted releases.
  private boolean releasesOpenly(Operation operation) throws Exception {
    isExposed = false;
    List<Throwable> thrown = new ArrayList<>();
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    operation.run();
                    isExposed |= isExposed();
                  } catch (Exception | Error e) {
                    thrown.add(e);
                  }
                });
    thread.join();
    if (!thrown.isEmpty()) {
      throw new CompletionException(thrown.getFirst());
    }
    return isExposed;
  }

  private void level1(String name, List<DynamicTest> tests, Operation operation) {
    tests.add(DynamicTest.dynamicTest(name, () -> assertThat(releasesOpenly(operation)).isFalse()));
  }

  /// The test itself: an operation in the middle of a section does.
  @Test
  void anOperationInASectionReleasesOpenly() throws Exception {
    PersistentHashMap<Long, Long> map = store.hashMap("map", Long.class, Long.class);
    Operation inAFunction =
        () -> {
          PersistentHashMap<Long, Long> other = store.hashMap("other", Long.class, Long.class);
          map.compute(1L, (_, _) -> other.put(1L, 1L));
        };
    assertThat(releasesOpenly(inAFunction)).isTrue();
  }

  private static Map<Long, Long> longs(long from, long to) {
    Map<Long, Long> made = new TreeMap<>();
    LongStream.range(from, to).forEach(i -> made.put(i, i));
    return made;
  }

  private static Map<String, String> texts(int count) {
    Map<String, String> made = new HashMap<>();
    for (int i = 0; i < count; i++) {
      made.put("key" + i, "x".repeat(i % 50 == 49 ? 5_000 : 20 * (i % 7)));
    }
    return made;
  }

  @TestFactory
  List<DynamicTest> level1NothingIsReleasedOpenly() {
    List<DynamicTest> tests = new ArrayList<>();
    PersistentTreeMap<Long, Long> tree = store.treeMap("tree", Long.class, Long.class);
    level1("tree: first entry", tests, () -> tree.put(1_000L, 1L));
    level1("tree: splits", tests, () -> longs(0, 5_000).forEach(tree::put));
    level1("tree: merges", tests, () -> LongStream.range(0, 4_000).forEach(tree::remove));
    level1("tree: load", tests, () -> tree.load(longs(6_000, 9_000).entrySet().iterator()));
    level1("tree: compute", tests, () -> tree.compute(4_500L, (_, value) -> value + 1));
    level1("tree: removeIf", tests, () -> tree.values().removeIf(value -> value % 2 == 0));
    level1("tree: pollFirstEntry", tests, tree::pollFirstEntry);
    level1("tree: view's clear", tests, () -> tree.headMap(6_000L).clear());
    level1("tree: ranks", tests, () -> tree.remove(tree.keyAt(tree.indexOf(7_001L) + 1)));
    level1("tree: clear", tests, tree::clear);
    PersistentTreeMap<String, String> texts = store.treeMap("texts", String.class, String.class);
    level1("tree of texts: put", tests, () -> texts(300).forEach(texts::put));
    level1("tree of texts: remove", tests, () -> texts(300).keySet().forEach(texts::remove));

    PersistentHashMap<Long, Long> map = store.hashMap("map", Long.class, Long.class);
    level1("map: puts", tests, () -> longs(0, 5_000).forEach(map::put));
    level1("map: putAll", tests, () -> map.putAll(longs(5_000, 6_000)));
    level1("map: removes", tests, () -> LongStream.range(0, 2_000).forEach(map::remove));
    level1("map: merge", tests, () -> map.merge(5_000L, 1L, Long::sum));
    level1("map: replaceAll", tests, () -> map.replaceAll((_, value) -> value + 1));
    level1("map: removeIf", tests, () -> map.values().removeIf(value -> value % 2 == 0));
    level1("map: clear", tests, map::clear);
    PersistentHashMap<String, String> large = store.hashMap("large", String.class, String.class);
    level1("map of texts: put", tests, () -> texts(500).forEach(large::put));
    level1("map of texts: few together", tests, () -> large.putAll(texts(40)));
    level1("map of texts: many together", tests, () -> large.putAll(texts(600)));
    level1("map of texts: removes", tests, () -> texts(300).keySet().forEach(large::remove));
    level1("map of texts: clear", tests, large::clear);

    PersistentQueue<String> queue = store.queue("queue", String.class, 10_000);
    level1("queue: offers", tests, () -> queue.addAll(texts(500).values()));
    level1("queue: polls", tests, () -> LongStream.range(0, 400).forEach(_ -> queue.poll()));
    level1("queue: adds", tests, () -> texts(500).keySet().forEach(queue::add));
    level1("queue: remove", tests, () -> queue.remove("key250"));
    level1("queue: removeIf", tests, () -> queue.removeIf(each -> each.endsWith("3")));
    level1("queue: drainTo", tests, () -> queue.drainTo(new ArrayList<>(), 100));
    level1("queue: clear", tests, queue::clear);

    PersistentDelayQueue<String> delays = store.delayQueue("delays", String.class);
    level1(
        "delays: add", tests, () -> texts(300).keySet().forEach(e -> delays.add(e, Instant.EPOCH)));
    level1("delays: poll", tests, delays::poll);
    level1("delays: drainTo", tests, () -> delays.drainTo(new ArrayList<>(), 200));
    level1("delays: clear", tests, delays::clear);

    level1(
        "transaction",
        tests,
        () ->
            store.transaction(
                () -> {
                  longs(0, 1_000).forEach(tree::put);
                  map.putAll(longs(0, 1_000));
                  queue.add("one");
                  queue.poll();
                  delays.add("one", Instant.EPOCH);
                }));
    level1(
        "a section without a lock",
        tests,
        () ->
            store.atomically(
                () -> {
                  longs(0, 1_000).keySet().forEach(tree::remove);
                  map.putAll(longs(500, 1_500));
                  queue.add("two");
                }));
    level1(
        "resumable",
        tests,
        () -> store.resumable("calls", Long.class, Long.class, i -> map.put(i, i)).run("id", 1L));
    level1(
        "job",
        tests,
        () ->
            store.job(
                "job",
                Long.class,
                0L,
                (state, step) -> {
                  for (long i = state; i < 3_000; i++) {
                    tree.put(i, i);
                    step.at(i + 1);
                  }
                }));

    level1("create", tests, () -> store.hashMap("new", Long.class, Long.class));
    level1("rename", tests, () -> store.rename("new", "renamed"));
    level1("delete what is not open", tests, () -> store.delete("renamed"));
    level1("delete a map", tests, () -> store.delete("large"));
    level1("delete a tree", tests, () -> store.delete("texts"));
    level1("delete a queue", tests, () -> store.delete("queue"));
    level1("delete a delay queue", tests, () -> store.delete("delays"));
    level1("trim", tests, store::trim);
    return tests;
  }
}
