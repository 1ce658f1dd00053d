package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.holdfast.collections.PersistentQueue;
import io.holdfast.core.RootDeletedException;
import io.holdfast.testkit.TestForm;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Transactions over queues of a real file.
@Timeout(60)
class TransactionQueueTest {
  @TempDir Path dir;
  private Holdfast store;
  private PersistentQueue<String> q;
  private PersistentQueue<String> r;
  private ConcurrentMap<String, Long> map;

  @BeforeEach
  void open() {
    store = Holdfast.open(dir.resolve("t.hf"));
    q = store.queue("q", String.class);
    r = store.queue("r", String.class);
    map = store.hashMap("m", String.class, Long.class);
  }

  @AfterEach
  void close() {
    assertThat(q.validate()).isEqualTo(q.size());
    assertThat(r.validate()).isEqualTo(r.size());
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
    if (thrown[0] != null) {
      throw new AssertionError(thrown[0]);
    }
  }

  private static <T> T interruptible(Callable<T> action) {
    try {
      return action.call();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aMoveIsThereWhole() {
    q.addAll(List.of("a", "b"));
    store.transaction(
        () -> {
          r.add(q.remove());
          assertThat(q).containsExactly("b");
          assertThat(r).containsExactly("a");
          inAnotherThread(() -> assertThat(r).isEmpty());
          inAnotherThread(() -> assertThat(q.peek()).isEqualTo("b"));
        });
    assertThat(q).containsExactly("b");
    assertThat(r).containsExactly("a");
  }

  @Test
  @Timeout(600)
  void queue6WhatATransactionDidIsSeenWhole() throws Exception {
    int changes = TestForm.count(2_000, 10_000);
    PersistentQueue<String> full = store.queue("full", String.class, 1);
    full.add("b");
    map.put("n", 0L);
    AtomicLong seen = new AtomicLong();
    Thread changing =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (long i = 1; i <= changes; i++) {
                    long n = i;
                    store.transaction(
                        () -> {
                          map.put("n", n);
                          q.add("a");
                          full.remove();
                        });
                    awaitInAHurry(() -> seen.get() == n || Thread.currentThread().isInterrupted());
                  }
                });
    try {
      for (long i = 1; i <= changes; i++) {
        long before = i - 1;
        if (i % 2 == 0) {
          awaitInAHurry(() -> store.transaction(() -> changesSeen(full)) > before);
        }
        awaitInAHurry(() -> map.get("n") > before);
        assertThat(i % 4 > 0 || q.size() == 1 && full.isEmpty()).isTrue();
        assertThat(q.poll()).isEqualTo("a");
        assertThat(full.offer("b")).isTrue();
        seen.set(i);
      }
    } finally {
      changing.interrupt();
      changing.join();
    }
  }

  /// Without a pause, unless the other thread may need this processor.
  private static void awaitInAHurry(BooleanSupplier isSo) {
    for (int i = 0; !isSo.getAsBoolean(); i++) {
      if (i > 10_000) {
        LockSupport.parkNanos(1_000);
      }
    }
  }

  private long changesSeen(PersistentQueue<String> full) {
    long n = map.get("n");
    assertThat(q.size()).isNotEqualTo(full.size());
    return n;
  }

  @Test
  void anExceptionGivesTheElementBackToItsPlace() {
    q.addAll(List.of("a", "b", "c"));
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(
            () ->
                store.transaction(
                    () -> {
                      q.add("x");
                      assertThat(q.poll()).isEqualTo("a");
                      inAnotherThread(() -> assertThat(q.poll()).isEqualTo("b"));
                      assertThat(q.poll()).isEqualTo("c");
                      throw new ArithmeticException();
                    }));
    assertThat(q).containsExactly("a", "c");
  }

  @Test
  void thoseThatPollNeverAbortEachOther() throws Exception {
    int rounds = 300;
    for (int i = 0; i < 2 * rounds; i++) {
      q.add("e" + i);
    }
    CyclicBarrier both = new CyclicBarrier(2);
    Runnable worker =
        () -> {
          for (int i = 0; i < rounds; i++) {
            int round = i;
            store.transaction(
                () -> {
                  String job = q.remove();
                  if (round < 20) {
                    interruptible(() -> both.await(30, TimeUnit.SECONDS));
                  }
                  r.add(job);
                });
          }
        };
    Thread one = Thread.ofPlatform().start(worker);
    worker.run();
    one.join();
    assertThat(q).isEmpty();
    assertThat(r).doesNotHaveDuplicates().hasSize(2 * rounds);
    assertThat(store.transactions().aborted()).isZero();
    assertThat(store.transactions().committed()).isEqualTo(2L * rounds);
  }

  @Test
  void takeWaitsForAnElement() throws Exception {
    Thread taking =
        Thread.ofVirtual().start(() -> store.transaction(() -> r.add(interruptible(q::take))));
    while (store.transactions().waited() == 0) {
      Thread.sleep(1);
    }
    q.add("a");
    taking.join();
    assertThat(r).containsExactly("a");
    assertThat(q).isEmpty();
  }

  @Test
  void wakeATakeEndsWhenAnElementIsGivenBack() throws Exception {
    q.add("a");
    Thread[] taking = new Thread[1];
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(
            () ->
                store.transaction(
                    () -> {
                      q.remove();
                      taking[0] =
                          Thread.ofVirtual()
                              .start(() -> store.transaction(() -> r.add(interruptible(q::take))));
                      while (store.transactions().waited() == 0) {
                        LockSupport.parkNanos(1_000_000);
                      }
                      throw new ArithmeticException();
                    }));
    taking[0].join();
    assertThat(r).containsExactly("a");
  }

  @Test
  void aWaitHoldsNoElement() throws Exception {
    q.add("a");
    Thread waiting =
        Thread.ofVirtual()
            .start(
                () ->
                    store.transaction(
                        () -> {
                          String first = interruptible(q::take);
                          r.add(first + interruptible(q::take));
                        }));
    while (store.transactions().waited() == 0) {
      Thread.sleep(1);
    }
    while (!q.contains("a")) {
      Thread.sleep(1);
    }
    assertThat(q.poll()).isEqualTo("a");
    q.addAll(List.of("b", "c"));
    waiting.join();
    assertThat(r).containsExactly("bc");
    assertThat(q).isEmpty();
  }

  @Test
  void orElseTakesFromTheOther() {
    r.add("x");
    String taken =
        store.transaction(
            () ->
                Transaction.orElse(
                    () -> {
                      r.add("dropped");
                      r.remove();
                      return interruptible(q::take);
                    },
                    () -> interruptible(r::take)));
    assertThat(taken).isEqualTo("x");
    assertThat(r).isEmpty();
  }

  @Test
  void held3AFurtherRunTakesTheSame() {
    q.addAll(List.of("a", "b", "c"));
    List<String> seen = new ArrayList<>();
    store.transaction(
        () -> {
          long before = map.getOrDefault("k", 0L);
          if (!seen.isEmpty()) {
            inAnotherThread(() -> assertThat(q.poll()).isEqualTo("c"));
          }
          seen.add(q.remove());
          if (seen.size() == 1) {
            seen.add(q.remove());
            inAnotherThread(() -> map.merge("k", 1L, Long::sum));
          }
          map.put("l", before + map.getOrDefault("k", 0L));
        });
    assertThat(seen).containsExactly("a", "b", "a");
    assertThat(store.transactions().aborted()).isEqualTo(1);
    assertThat(q).as("what the last run has left").containsExactly("b");
    assertThat(map).containsEntry("l", 2L);
  }

  @Test
  void whatAFurtherRunTakesIsTheFirst() {
    q.addAll(List.of("a", "b", "c"));
    List<String> seen = new ArrayList<>();
    int[] runs = new int[1];
    store.transaction(
        () -> {
          long before = map.getOrDefault("k", 0L);
          runs[0]++;
          if (runs[0] == 1) {
            q.remove("b");
            inAnotherThread(() -> map.merge("k", 1L, Long::sum));
          }
          seen.add(q.peek());
          map.put("l", before + map.getOrDefault("k", 0L));
          seen.add(q.remove());
          seen.add(q.remove());
        });
    assertThat(seen).containsExactly("a", "a", "b");
    assertThat(q).containsExactly("c");
  }

  @Test
  void whatASecondAlternativeTakesIsTheFirst() {
    q.addAll(List.of("a", "b", "c"));
    List<String> seen = new ArrayList<>();
    store.transaction(
        () ->
            Transaction.orElse(
                () -> {
                  q.removeIf(x -> !x.equals("a"));
                  Transaction.retry();
                },
                () -> {
                  seen.add(q.peek());
                  q.drainTo(seen, 2);
                }));
    assertThat(seen).containsExactly("a", "a", "b");
    assertThat(q).containsExactly("c");
  }

  /// T2: a peek in one run, and the poll after it, are of one moment.
  @Test
  void whatOthersGiveBackComesBeforeWhatIsKept() throws InterruptedException {
    q.addAll(List.of("a", "b", "c"));
    CountDownLatch isTaken = new CountDownLatch(1);
    CountDownLatch isPeeked = new CountDownLatch(1);
    Thread other =
        Thread.ofPlatform()
            .start(
                () ->
                    assertThatIllegalStateException()
                        .isThrownBy(
                            () ->
                                store.allOrNothing(
                                    () -> {
                                      assertThat(q.poll()).isEqualTo("a");
                                      isTaken.countDown();
                                      interruptible(() -> isPeeked.await(50, TimeUnit.SECONDS));
                                      throw new IllegalStateException("undone");
                                    })));
    isTaken.await();
    List<String> seen = new ArrayList<>();
    store.transaction(
        () ->
            Transaction.orElse(
                () -> {
                  assertThat(q.remove("b")).isTrue();
                  Transaction.retry();
                },
                () -> {
                  seen.add(q.peek());
                  isPeeked.countDown();
                  interruptible(() -> other.join(Duration.ofSeconds(50)));
                  seen.add(q.poll());
                }));
    assertThat(seen).containsExactly("b", "a", "a");
    assertThat(q).containsExactly("b", "c");
  }

  /// T2
  @Test
  void whatIsAddedAfterALookIsNotTaken() {
    List<String> seen = new ArrayList<>();
    int[] runs = new int[1];
    store.transaction(
        () -> {
          seen.add(q.poll());
          runs[0]++;
          if (runs[0] == 1) {
            inAnotherThread(() -> q.add("a"));
          }
          seen.add(q.poll());
        });
    assertThat(seen).containsExactly(null, "a", null);
  }

  @Test
  void t4NothingIsAReading() {
    int[] runs = new int[1];
    store.transaction(
        () -> {
          runs[0]++;
          if (q.poll() == null) {
            if (runs[0] == 1) {
              inAnotherThread(() -> q.add("a"));
            }
            map.put("empty", 1L);
          }
        });
    assertThat(runs[0]).isEqualTo(2);
    assertThat(map).isEmpty();
    assertThat(q).isEmpty();
  }

  @Test
  void t4WhatIsSeenIsAReading() {
    q.addAll(List.of("a", "b"));
    List<Runnable> readings =
        List.of(() -> q.peek(), () -> q.size(), () -> q.contains("a"), () -> q.iterator().next());
    for (Runnable reading : readings) {
      int[] runs = new int[1];
      store.transaction(
          () -> {
            reading.run();
            if (runs[0]++ == 0) {
              inAnotherThread(() -> q.add(q.remove()));
              inAnotherThread(() -> q.add("c"));
            }
            map.put("k", 1L);
          });
      assertThat(runs[0]).isEqualTo(2);
      q.clear();
      q.addAll(List.of("a", "b"));
    }
    int[] runs = new int[1];
    store.transaction(
        () -> {
          assertThat(q.peek()).isEqualTo("a");
          assertThat(q.isEmpty()).isFalse();
          runs[0]++;
          inAnotherThread(() -> q.add("c"));
          map.put("k", 2L);
        });
    assertThat(runs[0]).as("what is added is behind").isEqualTo(1);
  }

  @Test
  void t2ElementsAreOfTheSameMomentAsKeys() {
    map.put("a", 1L);
    List<String> seen = new ArrayList<>();
    store.transaction(
        () -> {
          boolean inMap = map.containsKey("a");
          if (seen.isEmpty()) {
            seen.add("first");
            inAnotherThread(
                () ->
                    store.transaction(
                        () -> {
                          map.remove("a");
                          q.add("a");
                        }));
          }
          boolean inQueue = q.poll() != null;
          seen.add(inMap + " " + inQueue);
        });
    assertThat(seen).containsExactly("first", "false true");
  }

  @Test
  void iteratorsSeeWhatItDid() {
    q.addAll(List.of("a", "b", "c"));
    store.transaction(
        () -> {
          q.remove();
          q.add("x");
          q.add("y");
          assertThat(new ArrayList<>(q)).containsExactly("b", "c", "x", "y");
          Iterator<String> each = q.iterator();
          each.next();
          each.next();
          each.remove();
          each.next();
          each.remove();
          assertThat(q).hasSize(2).containsExactly("b", "y");
          assertThat(q.remove("b")).isTrue();
          assertThat(q.remove("b")).isFalse();
          inAnotherThread(() -> assertThat(q).isEmpty());
        });
    assertThat(q).containsExactly("y");
    store.transaction(q::clear);
    assertThat(q).isEmpty();
  }

  @Test
  void drainTo() {
    q.addAll(List.of("a", "b", "c"));
    store.transaction(
        () -> {
          q.add("d");
          assertThat(q.drainTo(r, 2)).isEqualTo(2);
          assertThat(q.drainTo(r)).isEqualTo(2);
          assertThat(q.drainTo(r)).isZero();
          inAnotherThread(() -> assertThat(r).isEmpty());
        });
    assertThat(r).containsExactly("a", "b", "c", "d");
    assertThat(q).isEmpty();
  }

  @Test
  void bounded() throws Exception {
    PersistentQueue<String> two = store.queue("two", String.class, 2);
    two.add("a");
    store.transaction(
        () -> {
          assertThat(two.offer("b")).isTrue();
          assertThat(two.offer("c")).isFalse();
          inAnotherThread(() -> assertThat(two.offer("d")).isFalse());
          assertThat(two.poll()).isEqualTo("a");
          assertThat(two.offer("c")).isTrue();
        });
    assertThat(two).containsExactly("b", "c");
    Thread putting =
        Thread.ofVirtual()
            .start(
                () ->
                    store.transaction(
                        () ->
                            interruptible(
                                () -> {
                                  two.put("d");
                                  return null;
                                })));
    while (store.transactions().waited() == 0) {
      Thread.sleep(1);
    }
    assertThat(two.poll()).isEqualTo("b");
    putting.join();
    assertThat(two).containsExactly("c", "d");
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(
            () ->
                store.transaction(
                    () -> {
                      two.remove();
                      two.add("x");
                      two.remove();
                      two.add("y");
                      throw new ArithmeticException();
                    }));
    assertThat(two.offer("e")).isFalse();
    assertThat(two).containsExactly("c", "d");
  }

  @Test
  void timedWaitsEnd() {
    PersistentQueue<String> one = store.queue("one", String.class, 1);
    one.add("a");
    String none = store.transaction(() -> interruptible(() -> q.poll(30, TimeUnit.MILLISECONDS)));
    assertThat(none).isNull();
    boolean added =
        store.transaction(() -> interruptible(() -> one.offer("b", 30, TimeUnit.MILLISECONDS)));
    assertThat(added).isFalse();
    assertThat(store.transactions().waited()).isEqualTo(2);
  }

  @Test
  void t7InAnAtomicallyItIsRolledBackByItself() {
    q.addAll(List.of("a", "b", "c"));
    store.atomically(
        () -> {
          assertThat(q.poll()).isEqualTo("a");
          q.add("x");
          assertThatIllegalStateException()
              .isThrownBy(
                  () ->
                      store.transaction(
                          () -> {
                            assertThat(q.poll()).isEqualTo("b");
                            assertThat(q.poll()).isEqualTo("c");
                            assertThat(q.poll()).isEqualTo("x");
                            throw new IllegalStateException();
                          }));
          assertThat(q).hasSize(3).containsExactly("b", "c", "x");
          store.transaction(
              () -> {
                r.add(q.remove());
                q.add("y");
              });
          assertThat(q).hasSize(3).containsExactly("c", "x", "y");
          inAnotherThread(() -> assertThat(q).containsExactly("c"));
        });
    assertThat(q).containsExactly("c", "x", "y");
    assertThat(r).containsExactly("b");
  }

  @Test
  void t6ALockingOneMayTakeAndAdd() {
    q.addAll(List.of("a", "b"));
    int[] runs = new int[1];
    store.transaction(
        () -> {
          int size = q.size();
          if (++runs[0] <= 8) {
            inAnotherThread(() -> q.add("more"));
          }
          assertThat(q.poll()).isEqualTo("a");
          q.add("size " + size);
          assertThat(q).hasSize(size);
        });
    assertThat(store.transactions().locking()).isEqualTo(1);
    assertThat(q).hasSize(10).startsWith("b", "more").endsWith("more", "size 10");
  }

  /// More blocks than a section reserves room for at once, with nothing but removed elements.
  @Test
  void aLongRunBehindAClaim() {
    int count = 2_100 * 126;
    for (int i = 0; i < count; i++) {
      q.add("");
    }
    store.atomically(
        () -> {
          q.remove();
          inAnotherThread(
              () -> {
                while (q.poll() != null) {
                  // all but the one that is claimed
                }
              });
        });
    q.add("x");
    assertThat(q.poll()).isEqualTo("x");
    assertThat(q).isEmpty();
  }

  @Test
  void aDeletedQueueLeavesNothingElsewhere() {
    q.add("a");
    assertThatExceptionOfType(RootDeletedException.class)
        .isThrownBy(
            () ->
                store.transaction(
                    () -> {
                      map.put("k", 1L);
                      q.add("b");
                      inAnotherThread(() -> store.delete("q"));
                    }));
    assertThat(map).isEmpty();
    q = store.queue("q", String.class);
    store.atomically(
        () -> {
          q.add("c");
          map.put("k", 2L);
          inAnotherThread(() -> store.delete("q"));
        });
    assertThat(map).containsEntry("k", 2L);
    q = store.queue("q", String.class);
    assertThat(q).isEmpty();
  }

  @Test
  void aReadOnlyOneRefusesChanges() {
    q.add("a");
    Transaction.Options readOnly = Transaction.Options.defaults().readOnly();
    assertThat(store.transaction(readOnly, () -> q.peek() + q.size())).isEqualTo("a1");
    assertThatIllegalStateException().isThrownBy(() -> store.transaction(readOnly, () -> q.poll()));
    assertThatIllegalStateException()
        .isThrownBy(() -> store.transaction(readOnly, () -> q.add("b")));
    assertThat(q).containsExactly("a");
  }

  @Test
  void aReadingIsRepeated() {
    for (Supplier<Object> reading :
        List.<Supplier<Object>>of(q::size, q::peek, () -> q.size() == 0, q::isEmpty)) {
      q.clear();
      q.add("a");
      AtomicBoolean isChanged = new AtomicBoolean();
      List<Object> seen =
          store.transaction(
              () -> {
                Object first = q.size() + " " + reading.get();
                if (!isChanged.getAndSet(true)) {
                  inAnotherThread(
                      () -> {
                        q.remove();
                        q.addAll(List.of("b", "c"));
                      });
                }
                return List.of(first, q.size() + " " + reading.get());
              });
      assertThat(seen.getFirst()).isEqualTo(seen.getLast());
    }
  }

  /// A peek is compared with the peek before, too.
  @Test
  void aPeekIsRepeated() {
    q.add("a");
    AtomicBoolean isChanged = new AtomicBoolean();
    store.transaction(
        () -> {
          String first = q.peek();
          if (!isChanged.getAndSet(true)) {
            inAnotherThread(q::remove);
            inAnotherThread(() -> q.add("b"));
          }
          assertThat(q.peek()).isEqualTo(first);
        });
  }

  /// Of two alternatives the one that ends first has the result.
  @Test
  void theShorterWaitOfTwoAlternativesEnds() {
    Instant begun = Instant.now();
    String found =
        store.transaction(
            () ->
                Transaction.orElse(
                    () -> interruptible(() -> q.poll(10, TimeUnit.MILLISECONDS)) + " first",
                    () -> interruptible(() -> q.poll(1, TimeUnit.DAYS)) + " second"));
    assertThat(found).isEqualTo("null first");
    assertThat(begun).isAfter(Instant.now().minusSeconds(60));
  }

  /// It is one wait, whatever its runs come to.
  @Test
  void aWaitForAQueueThatEachRunOpensEnds() {
    AtomicLong runs = new AtomicLong();
    String found =
        store.transaction(
            () -> {
              PersistentQueue<String> reply =
                  store.queue("reply " + runs.getAndIncrement(), String.class);
              return interruptible(() -> reply.poll(50, TimeUnit.MILLISECONDS));
            });
    assertThat(found).isNull();
  }
}
