package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.holdfast.collections.PersistentQueue;
import io.holdfast.core.RecoveryReport.Outcome;
import io.holdfast.core.RootDeletedException;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.region.Region;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The collections of a store by name: listed, renamed, deleted.
@Timeout(60)
class RootsTest {
  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void nameFile() {
    file = directory.resolve("shop.hf");
  }

  private static List<String> names(Holdfast store) {
    return store.roots().stream().map(NamedRoot::name).toList();
  }

  @Test
  void rootsAreListedOldestFirst() {
    Instant before = Instant.ofEpochMilli(System.currentTimeMillis());
    try (Holdfast store = Holdfast.open(file)) {
      assertThat(store.roots()).isEmpty();
      store.queue("orders", String.class);
      store.queue("bills", Long.class);
    }
    try (Holdfast store = Holdfast.open(file)) {
      assertThat(names(store)).containsExactly("orders", "bills");
      NamedRoot bills = store.roots().getLast();
      assertThat(bills.kind()).isEqualTo("queue");
      assertThat(bills.codec()).isEqualTo("Long");
      assertThat(bills.created()).isBetween(before, Instant.now());
      store.rename("orders", "old orders");
      store.queue("orders", String.class);
      assertThat(names(store)).containsExactly("old orders", "bills", "orders");
    }
    try (Holdfast store = Holdfast.open(file)) {
      assertThat(names(store)).containsExactly("old orders", "bills", "orders");
    }
  }

  @Test
  void renamedIsTheSameCollection() {
    List<NamedRoot> listed;
    try (Holdfast store = Holdfast.open(file)) {
      PersistentQueue<String> queue = store.queue("q", String.class);
      queue.add("a");
      store.rename("q", "queue of orders");
      queue.add("b");
      assertThat(store.queue("queue of orders", String.class)).isSameAs(queue);
      assertThat(store.queue("q", Integer.class)).isEmpty();
      store.rename("q", "q");
      listed = store.roots();
    }
    try (Holdfast store = Holdfast.open(file)) {
      assertThat(store.queue("queue of orders", String.class)).containsExactly("a", "b");
      assertThat(store.roots()).isEqualTo(listed);
    }
  }

  @Test
  void whatCannotBeRenamed() {
    try (Holdfast store = Holdfast.open(file)) {
      store.queue("a", String.class);
      store.queue("b", String.class);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.rename("a", "b"))
          .withMessage(file.toAbsolutePath() + ": there is a collection of the name \"b\" already");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.rename("c", "d"))
          .withMessage(file.toAbsolutePath() + ": there is no collection of the name \"c\"");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.rename("a", "x".repeat(1 << 21)))
          .withMessage(
              file.toAbsolutePath()
                  + ": a root's name is at most 2097151 bytes long: length=2097152");
      assertThatNullPointerException().isThrownBy(() -> store.rename("a", null));
      assertThatNullPointerException().isThrownBy(() -> store.rename(null, "a"));
      assertThat(names(store)).containsExactly("a", "b");
    }
  }

  @Test
  void deletedIsGoneAndItsHandlesSaySo() {
    try (Holdfast store = Holdfast.open(file)) {
      PersistentQueue<String> queue = store.queue("q", String.class, 100);
      queue.addAll(List.of("a", "b"));
      Iterator<String> iterator = queue.iterator();
      iterator.next();
      assertThat(store.delete("q")).isTrue();
      assertThat(store.delete("q")).isFalse();
      Map<String, Consumer<PersistentQueue<String>>> calls = new TreeMap<>();
      calls.put("add", q -> q.add("c"));
      calls.put("offer", q -> q.offer("c"));
      calls.put("poll", PersistentQueue::poll);
      calls.put("peek", PersistentQueue::peek);
      calls.put("size", PersistentQueue::size);
      calls.put("isEmpty", PersistentQueue::isEmpty);
      calls.put("contains", q -> q.contains("a"));
      calls.put("remove", q -> q.remove("a"));
      calls.put("iterator", q -> q.iterator());
      calls.put("next", q -> iterator.next());
      calls.put("drainTo", q -> q.drainTo(new ArrayList<>()));
      calls.put("clear", PersistentQueue::clear);
      calls.put("remainingCapacity", PersistentQueue::remainingCapacity);
      calls.put("validate", PersistentQueue::validate);
      calls.put("timed poll", q -> quietly(() -> q.poll(1, TimeUnit.SECONDS)));
      calls.put("put", q -> quietly(() -> q.put("c")));
      calls.forEach(
          (name, call) ->
              assertThatExceptionOfType(RootDeletedException.class)
                  .as(name)
                  .isThrownBy(() -> call.accept(queue))
                  .withMessage(
                      file.toAbsolutePath()
                          + ": the queue was deleted, or the section that created it was rolled"
                          + " back. Open or create it anew by its name"));
      assertThat(names(store)).isEmpty();
      PersistentQueue<Integer> another = store.queue("q", Integer.class);
      another.add(1);
      assertThat(another).containsExactly(1);
      assertThatExceptionOfType(RootDeletedException.class).isThrownBy(queue::poll);
    }
    try (Holdfast store = Holdfast.open(file)) {
      assertThat(store.recovery().outcome()).isEqualTo(Outcome.CLEAN);
      assertThat(store.queue("q", Integer.class)).containsExactly(1);
      assertThatNullPointerException().isThrownBy(() -> store.delete(null));
    }
  }

  private interface Interruptible {
    void run() throws InterruptedException;
  }

  private static void quietly(Interruptible action) {
    try {
      action.run();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void threadsThatWaitAreTold() throws Exception {
    try (Holdfast store = Holdfast.open(file)) {
      PersistentQueue<String> empty = store.queue("empty", String.class);
      PersistentQueue<String> full = store.queue("full", String.class, 1);
      full.add("a");
      CompletableFuture<Void> taker = waits(() -> quietly(empty::take));
      CompletableFuture<Void> putter = waits(() -> quietly(() -> full.put("b")));
      store.delete("empty");
      store.delete("full");
      for (CompletableFuture<Void> each : List.of(taker, putter)) {
        assertThat(each.handle((done, thrown) -> thrown.getCause()).get(30, TimeUnit.SECONDS))
            .isInstanceOf(RootDeletedException.class);
      }
    }
  }

  private static CompletableFuture<Void> waits(Runnable action) throws InterruptedException {
    CountDownLatch started = new CountDownLatch(1);
    CompletableFuture<Void> future =
        CompletableFuture.runAsync(
            () -> {
              started.countDown();
              action.run();
            },
            task -> Thread.ofPlatform().start(task));
    started.await();
    return future;
  }

  /// The same space serves queue after queue: what one has needed, the next one finds.
  @Test
  void theSpaceComesBack() throws Exception {
    long after = 0;
    try (Holdfast store = Holdfast.open(file)) {
      StoreMXBean bean = StoreBeans.of(file);
      for (int round = 0; round < 20; round++) {
        PersistentQueue<String> queue = store.queue("q" + round, String.class);
        for (int i = 0; i < 500; i++) {
          queue.add("e".repeat(i % 7 == 0 ? 3_000 : 50));
        }
        queue.add("s".repeat(200_000));
        store.delete("q" + round);
        after = round == 1 ? bean.getLengthBytes() : after;
      }
      assertThat(bean.getLengthBytes()).isEqualTo(after);
    }
  }

  @Test
  void deletedInASectionThatIsCutOff() throws IOException {
    Path copy = directory.resolve("copy.hf");
    try (Holdfast store = Holdfast.open(file)) {
      PersistentQueue<String> queue = store.queue("q", String.class);
      for (int i = 0; i < 1_000; i++) {
        queue.add("element " + i);
      }
      byte[][] killed = new byte[1][];
      store.atomically(
          () -> {
            store.delete("q");
            store.queue("q", Integer.class);
            killed[0] = bytes();
          });
      Files.write(copy, killed[0]);
      assertThat(store.queue("q", Integer.class)).isEmpty();
    }
    try (Holdfast store = Holdfast.open(copy)) {
      assertThat(store.recovery().sectionsUndone()).isEqualTo(1);
      PersistentQueue<String> queue = store.queue("q", String.class);
      assertThat(queue).hasSize(1_000).startsWith("element 0");
      assertThat(queue.validate()).isEqualTo(1_000);
    }
  }

  private byte[] bytes() {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /// What a process was killed in the middle of: the next one gives the space back by itself.
  @Test
  void root4WhatWasLeftIsFreedInTheBackground() throws Exception {
    try (Holdfast store = Holdfast.open(file)) {
      PersistentQueue<String> queue = store.queue("q", String.class);
      for (int i = 0; i < 2_000; i++) {
        queue.add("e".repeat(2_500));
      }
      store.queue("stays", String.class).add("a");
    }
    try (RegionFile opened = RegionFile.open(file);
        Region region = Region.open(opened.memory(), RegionFile.INITIAL_BYTES)) {
      region.roots().delete("q");
      assertThat(region.heap().validator().blocks()).hasSizeGreaterThan(2_000);
    }
    try (Holdfast store = Holdfast.open(file)) {
      assertThat(names(store)).containsExactly("stays");
      assertThat(store.delete("stays")).isTrue(); // and waits for the rest
    }
    try (RegionFile opened = RegionFile.open(file);
        Region region = Region.open(opened.memory(), RegionFile.INITIAL_BYTES)) {
      assertThat(region.roots().hasDeleted()).isFalse();
      assertThat(region.heap().validator().blocks()).isEmpty();
    }
  }

  /// Closing at once stops in between, and loses nothing.
  @Test
  void root4ClosedBeforeAllIsFreed() throws Exception {
    try (Holdfast store = Holdfast.open(file)) {
      PersistentQueue<String> queue = store.queue("q", String.class);
      for (int i = 0; i < 2_000; i++) {
        queue.add("e".repeat(2_500));
      }
    }
    try (RegionFile opened = RegionFile.open(file);
        Region region = Region.open(opened.memory(), RegionFile.INITIAL_BYTES)) {
      region.roots().delete("q");
    }
    int openings = 0;
    for (boolean more = true; more; openings++) {
      try (Holdfast store = Holdfast.open(file)) {
        assertThat(store.roots()).isEmpty();
      }
      try (RegionFile opened = RegionFile.open(file);
          Region region = Region.open(opened.memory(), RegionFile.INITIAL_BYTES)) {
        assertThat(region.report().outcome()).isEqualTo(Outcome.CLEAN);
        more = region.roots().hasDeleted();
        assertThat(more || region.heap().validator().blocks().isEmpty()).isTrue();
      }
    }
    assertThat(openings).isPositive();
  }

  @Test
  void anUnknownKindIsNotDeleted() {
    try (RegionFile opened = RegionFile.open(file);
        Region region = Region.open(opened.memory(), RegionFile.INITIAL_BYTES)) {
      region.roots().create("m", "skipList", "String", () -> region.heap().allocate(64));
    }
    try (Holdfast store = Holdfast.open(file)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.delete("m"))
          .withMessage(
              file
                  + ": the skipList \"m\" can't be deleted: this version knows [delayQueue,"
                  + " hashMap, job, queue, resumable, resumableFinished, resumableResults,"
                  + " resumableScheduled, resumableScheduledIds, treeMap] only. Use the version"
                  + " that made it");
      assertThat(names(store)).containsExactly("m");
    }
  }

  /// Threads that add, take and walk while their queue goes away: each is told, none is harmed.
  @Test
  void deletedUnderThreadsThatAreBusy() throws Exception {
    try (Holdfast store = Holdfast.open(file)) {
      for (int round = 0; round < 30; round++) {
        PersistentQueue<String> queue = store.queue("q", String.class);
        List<CompletableFuture<Void>> threads = new ArrayList<>();
        threads.add(waits(() -> forEver(() -> queue.add("e".repeat(300)))));
        threads.add(waits(() -> forEver(queue::poll)));
        threads.add(waits(() -> forEver(() -> queue.forEach(element -> {}))));
        threads.add(
            waits(() -> forEver(() -> store.atomically(() -> queue.offer(queue.peek() + "x")))));
        while (queue.isEmpty()) {
          Thread.onSpinWait();
        }
        assertThat(store.delete("q")).isTrue();
        for (CompletableFuture<Void> each : threads) {
          each.get(30, TimeUnit.SECONDS);
        }
      }
      store.sync();
    }
    try (RegionFile opened = RegionFile.open(file);
        Region region = Region.open(opened.memory(), RegionFile.INITIAL_BYTES)) {
      assertThat(region.report().outcome()).isEqualTo(Outcome.CLEAN);
      assertThat(region.heap().validator().blocks()).isEmpty();
    }
  }

  private static void forEver(Runnable action) {
    try {
      while (true) {
        action.run();
      }
    } catch (RootDeletedException e) {
      // As it should.
    }
  }
}
