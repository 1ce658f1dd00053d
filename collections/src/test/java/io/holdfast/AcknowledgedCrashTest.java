package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.collections.PersistentHashMap;
import io.holdfast.core.fixture.HookedMemory;
import io.holdfast.core.fixture.Intruder;
import io.holdfast.testkit.RecordingMemory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What an operation has changed is there when it has returned, wherever the operation of another
/// thread is then (P6): that one is held up before each of its stores, and what the process would
/// leave there is opened.
@Timeout(600)
class AcknowledgedCrashTest {
  private static final long MARK = -7;

  /// No store here grows beyond this.
  private static final int BYTES = 1 << 22;

  /// @param first is held up before each of its stores
  /// @param second a thread's that runs meanwhile; where it has to wait for the first one, it has
  ///   returned later, and nothing is looked at
  /// @param isThere whether all that the second has changed is there
  private static void explore(
      Consumer<Holdfast> given,
      Consumer<Holdfast> first,
      Consumer<Holdfast> second,
      Predicate<Holdfast> isThere) {
    boolean isReached = true;
    int at = 0;
    while (isReached) {
      at++;
      RecordingMemory bytes = new RecordingMemory();
      RecordingMemory[] image = new RecordingMemory[1];
      isReached = meet(bytes, at, given, first, second, () -> image[0] = bytes.copy());
      if (image[0] != null) {
        try (Holdfast opened = Holdfast.over(image[0])) {
          assertThat(isThere.test(opened)).as("held up before store %d", at).isTrue();
        }
      }
    }
    assertThat(at).as("stores").isGreaterThan(1);
  }

  /// @param at the number of the store before which they meet
  /// @param returned runs if the second has returned before the first goes on
  /// @return whether the first has so many stores
  private static boolean meet(
      RecordingMemory bytes,
      int at,
      Consumer<Holdfast> given,
      Consumer<Holdfast> first,
      Consumer<Holdfast> second,
      Runnable returned) {
    bytes.setLength(BYTES); // so that they stay where they are
    bytes.setLength(0);
    HookedMemory memory = new HookedMemory(bytes);
    try (Holdfast store = Holdfast.over(memory)) {
      given.accept(store);
      FutureTask<?> task = new FutureTask<>(() -> second.accept(store), null);
      Thread other = Thread.ofPlatform().daemon().unstarted(task);
      Thread own = Thread.currentThread();
      int[] left = {at};
      memory.beforeEachStore(
          () -> {
            if (Thread.currentThread().equals(own) && --left[0] == 0) {
              other.start();
              Intruder.awaitEndOrWait(other);
              if (task.isDone()) {
                returned.run();
              }
            }
          });
      first.accept(store);
      memory.beforeEachStore(() -> {});
      if (left[0] > 0) {
        return false;
      }
      task.get();
      return true;
    } catch (ExecutionException | InterruptedException e) {
      throw new AssertionError("held up before store " + at, e);
    }
  }

  private static Map<Long, Long> tree(Holdfast store) {
    return store.treeMap("tree", Long.class, Long.class);
  }

  private static PersistentHashMap<Long, Long> map(Holdfast store) {
    return store.hashMap("map", Long.class, Long.class);
  }

  private static Map<Long, Long> longs(long from, long to) {
    Map<Long, Long> made = new TreeMap<>();
    LongStream.range(from, to).forEach(i -> made.put(i, i));
    return made;
  }

  /// Enough for several leaves.
  private static void fillTree(Holdfast store) {
    longs(0, 200).forEach(tree(store)::put);
  }

  private static void mark(Map<Long, Long> in) {
    in.put(1L, MARK);
  }

  private static boolean isMarked(Map<Long, Long> in) {
    return Long.valueOf(MARK).equals(in.get(1L));
  }

  @Test
  void splitsOfLeaves() {
    explore(
        AcknowledgedCrashTest::fillTree,
        store -> longs(200, 270).forEach(tree(store)::put),
        store -> mark(tree(store)),
        store -> isMarked(tree(store)));
  }

  @Test
  void mergesOfLeaves() {
    explore(
        AcknowledgedCrashTest::fillTree,
        store -> LongStream.range(110, 190).forEach(tree(store)::remove),
        store -> mark(tree(store)),
        store -> isMarked(tree(store)));
  }

  /// Whoever is let into the map while the clearing goes on would depend on it.
  @Test
  void clearsAMap() {
    explore(
        store -> map(store).putAll(longs(0, 100)),
        store -> map(store).clear(),
        store -> longs(100, 110).forEach(map(store)::put),
        store -> map(store).keySet().containsAll(longs(100, 110).keySet()));
  }

  @Test
  void clearsATree() {
    explore(
        store -> {
          fillTree(store);
          mark(map(store));
        },
        store -> tree(store).clear(),
        store -> {
          tree(store).size();
          map(store).put(2L, MARK);
        },
        store -> map(store).containsKey(2L));
  }

  /// More than a batch, in one section.
  @Test
  void putsTogether() {
    explore(
        store -> map(store).putAll(longs(0, 100)),
        store -> map(store).putAll(longs(1_000, 1_300)),
        store -> map(store).put(1_299L, MARK),
        store -> map(store).containsKey(1_299L));
  }

  @Test
  void deletes() {
    List<Map<Long, Long>> map = new ArrayList<>(); // the one that is open; to open it would wait
    explore(
        store -> {
          fillTree(store);
          map.clear();
          map.add(map(store));
        },
        store -> store.delete("tree"),
        store -> {
          store.roots();
          mark(map.getFirst());
        },
        store -> isMarked(map(store)));
  }

  /// Its roots are deleted one after the other.
  @Test
  void deletesAResumable() {
    List<Map<Long, Long>> map = new ArrayList<>();
    explore(
        store -> {
          map.clear();
          map.add(map(store));
          Resumable<Long, Long> count =
              store.resumable("count", Long.class, Long.class, x -> x + 1);
          count.run("a", 1L);
          count.at("b", Instant.EPOCH.plus(Duration.ofDays(366_000)), 2L);
        },
        store -> store.delete("count"),
        store -> {
          store.roots();
          mark(map.getFirst());
        },
        store -> isMarked(map(store)));
  }

  @Test
  void transactions() {
    explore(
        store -> {
          fillTree(store);
          map(store).putAll(longs(0, 10));
        },
        store ->
            store.transaction(
                () -> {
                  longs(200, 270).forEach(tree(store)::put);
                  map(store).putAll(longs(20, 30));
                  store.queue("queue", Long.class).add(1L);
                }),
        store -> {
          mark(tree(store));
          mark(map(store));
          store.queue("queue", Long.class).add(MARK);
        },
        store ->
            isMarked(tree(store))
                && isMarked(map(store))
                && store.queue("queue", Long.class).contains(MARK));
  }

  @Test
  void bothEndsOfAQueue() {
    explore(
        store -> store.queue("queue", Long.class).addAll(longs(0, 100).keySet()),
        store -> {
          store.queue("queue", Long.class).drainTo(new ArrayList<>(), 50);
          store.queue("queue", Long.class).remove(70L);
        },
        store -> store.queue("queue", Long.class).add(MARK),
        store -> store.queue("queue", Long.class).contains(MARK));
  }
}
