package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.collections.PersistentQueue;
import java.nio.file.Path;
import java.util.AbstractCollection;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// HELD-4: the end of a section or transaction has locked one collection and waits for another one,
/// of which an operation has called the program's code, and that waits for the first.
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GivesWayTest {
  @TempDir Path dir;

  private final CountDownLatch changed = new CountDownLatch(1);
  private final CountDownLatch isInFunction = new CountDownLatch(1);
  private Holdfast store;

  /// That changes both collections.
  private Thread both;

  @BeforeEach
  void open() {
    store = Holdfast.open(dir.resolve("a.hf"));
  }

  @AfterEach
  void close() {
    if (both == null || !both.isAlive()) { // else it would be waited for
      store.close();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void changeBoth(Runnable action) throws InterruptedException {
    both = Thread.ofPlatform().daemon().start(action);
    changed.await();
  }

  /// The program's code, in an operation on the second collection: until the other thread has
  /// locked the first one and waits for this one.
  private void awaitBoth() {
    isInFunction.countDown();
    while (!waitsForALock(both)) {
      assertThat(both.isAlive()).isTrue();
      Thread.onSpinWait();
    }
  }

  private static boolean waitsForALock(Thread thread) {
    return thread.getState() == Thread.State.TIMED_WAITING
        && Arrays.stream(thread.getStackTrace())
            .anyMatch(frame -> frame.getClassName().endsWith(".SectionLock"));
  }

  private void compute(ConcurrentMap<String, Integer> first, ConcurrentMap<String, Integer> second)
      throws InterruptedException {
    second.merge(
        "k",
        1,
        (before, one) -> {
          awaitBoth();
          first.merge("k", 1, Integer::sum);
          return before + one;
        });
    both.join();
    assertThat(first.get("k") % 100).isEqualTo(11);
    assertThat(second).containsEntry("k", 11);
  }

  /// @param block the transaction or section in which both are changed
  private void ofMaps(
      ConcurrentMap<String, Integer> first,
      ConcurrentMap<String, Integer> second,
      Consumer<Runnable> block)
      throws InterruptedException {
    first.put("k", 0);
    second.put("k", 0);
    changeBoth(
        () ->
            block.accept(
                () -> {
                  first.merge("k", 10, Integer::sum);
                  second.merge("k", 10, Integer::sum);
                  changed.countDown();
                  await(isInFunction);
                }));
    compute(first, second);
  }

  private ConcurrentMap<String, Integer> hashMap(String name) {
    return store.hashMap(name, String.class, Integer.class);
  }

  private ConcurrentMap<String, Integer> treeMap(String name) {
    return store.treeMap(name, String.class, Integer.class);
  }

  @Test
  void held4OfASection() throws InterruptedException {
    ofMaps(hashMap("first"), hashMap("second"), store::atomically);
  }

  @Test
  void held4OfASectionOverSortedMaps() throws InterruptedException {
    ofMaps(treeMap("first"), treeMap("second"), store::atomically);
  }

  @Test
  void held4OfATransaction() throws InterruptedException {
    ofMaps(hashMap("first"), hashMap("second"), store::transaction);
  }

  @Test
  void held4OfATransactionOverSortedMaps() throws InterruptedException {
    ofMaps(treeMap("first"), treeMap("second"), store::transaction);
  }

  @Test
  void held4OfATransactionInASection() throws InterruptedException {
    ofMaps(
        hashMap("first"),
        treeMap("second"),
        body -> store.atomically(() -> store.transaction(body)));
  }

  @Test
  void held4OfATransactionThatLocksWhatItComesTo() throws InterruptedException {
    ConcurrentMap<String, Integer> first = hashMap("first");
    ConcurrentMap<String, Integer> second = hashMap("second");
    first.put("k", 0);
    second.put("k", 0);
    int[] runs = new int[1];
    changeBoth(
        () ->
            store.transaction(
                () -> {
                  first.merge("k", 10, Integer::sum);
                  if (++runs[0] <= 8) { // T6: it is disturbed until it locks
                    inAnotherThread(() -> first.merge("k", 100, Integer::sum));
                  } else {
                    changed.countDown();
                    await(isInFunction);
                    second.merge("k", 10, Integer::sum);
                  }
                }));
    compute(first, second);
    assertThat(store.transactions().locking()).isPositive();
  }

  /// A thread without a lock holds nobody up. If it gave way, thousands of them would queue up
  /// twice.
  @Test
  void held4WhoHasNoLockWaits() throws InterruptedException {
    ConcurrentMap<String, Integer> map = hashMap("map");
    map.put("k", 0);
    changeBoth(
        () ->
            store.atomically(
                () -> {
                  map.merge("k", 10, Integer::sum);
                  changed.countDown();
                  await(isInFunction);
                }));
    map.merge(
        "k",
        1,
        (before, one) -> {
          awaitBoth();
          for (int i = 0; i < 100; i++) {
            LockSupport.parkNanos(1_000_000); // in all, ten times as long as one waits at first
            assertThat(both.getStackTrace())
                .noneMatch(frame -> frame.getMethodName().equals("awaitFree"));
          }
          return before + one;
        });
    both.join();
    assertThat(map).containsEntry("k", 11);
  }

  private static void inAnotherThread(Runnable action) {
    try {
      Thread.ofPlatform().start(action).join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /// @param block the transaction or section in which both are changed
  private void ofQueues(Consumer<Runnable> block) throws InterruptedException {
    PersistentQueue<String> to = store.queue("to", String.class);
    PersistentQueue<String> from = store.queue("from", String.class);
    from.add("a");
    from.add("b");
    changeBoth(
        () ->
            block.accept(
                () -> {
                  to.add(from.remove());
                  changed.countDown();
                  await(isInFunction);
                }));
    from.drainTo(
        new AbstractCollection<String>() {
          @Override
          public boolean add(String element) {
            awaitBoth();
            return to.add(element);
          }

          @Override
          public Iterator<String> iterator() {
            return Collections.emptyIterator();
          }

          @Override
          public int size() {
            return 0;
          }
        });
    both.join();
    assertThat(from).isEmpty();
    assertThat(to).containsExactly("b", "a");
  }

  @Test
  void held4OfQueuesInASection() throws InterruptedException {
    ofQueues(store::atomically);
  }

  @Test
  void held4OfQueuesInATransaction() throws InterruptedException {
    ofQueues(store::transaction);
  }
}
