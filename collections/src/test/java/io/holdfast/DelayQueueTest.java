package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.collections.Due;
import io.holdfast.collections.PersistentDelayQueue;
import io.holdfast.core.RootDeletedException;
import io.holdfast.core.StoreClosedException;
import io.holdfast.core.fixture.QuietRecoveries;
import io.holdfast.testkit.RecordingMemory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Spliterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// A queue whose elements can be taken when they are due.
@Timeout(60)
@ExtendWith(QuietRecoveries.class)
class DelayQueueTest {
  private static final Instant NOW = Instant.ofEpochMilli(System.currentTimeMillis());
  private static final Instant LATER = NOW.plus(Duration.ofDays(1));

  private static final class Stopped extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  @TempDir private Path directory;

  private RecordingMemory memory = new RecordingMemory();
  private Holdfast store = Holdfast.over(memory);
  private PersistentDelayQueue<String> queue = store.delayQueue("later", String.class);

  @AfterEach
  void close() {
    store.close();
  }

  /// For threads that run at once, which a recorded memory is not for.
  private void onFile() {
    store.close();
    store = Holdfast.open(directory.resolve("later.hf"));
    queue = store.delayQueue("later", String.class);
  }

  private static Instant ago(int millis) {
    return NOW.minusMillis(millis);
  }

  private List<String> drained() {
    List<Due<String>> all = new ArrayList<>();
    queue.drainTo(all);
    return all.stream().map(Due::element).toList();
  }

  /// What another thread does meanwhile.
  private static <T> T elsewhere(java.util.concurrent.Callable<T> action) {
    CompletableFuture<T> done = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                done.complete(action.call());
              } catch (Throwable e) {
                done.completeExceptionally(e);
              }
            });
    try {
      return done.get(30, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | java.util.concurrent.TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  private String polled() {
    Due<String> due = queue.poll();
    return due == null ? null : due.element();
  }

  /// A delay that no number has is the least or the greatest.
  @Test
  void delaysOfTheFirstAndTheLastTime() {
    Due<String> first = new Due<>(Instant.ofEpochMilli(Long.MIN_VALUE), "first");
    Due<String> last = new Due<>(Instant.ofEpochMilli(Long.MAX_VALUE), "last");
    assertThat(first.getDelay(TimeUnit.MILLISECONDS)).isEqualTo(Long.MIN_VALUE);
    assertThat(first.getDelay(TimeUnit.DAYS)).isLessThan(-106_751_991_000L);
    assertThat(last.getDelay(TimeUnit.NANOSECONDS)).isEqualTo(Long.MAX_VALUE);
    assertThat(first).isLessThan(last);
  }

  @Test
  void elementsComeWhenTheyAreDueInTheOrderOfTime() {
    queue.add("c", ago(1));
    queue.add("tomorrow", LATER);
    queue.add("a", ago(3));
    queue.add("b", ago(2));
    queue.add("b, too", ago(2));

    assertThat(queue).hasSize(5);
    assertThat(queue.peek()).isEqualTo(new Due<>(ago(3), "a"));
    assertThat(queue).extracting(Due::element).containsExactly("a", "b", "b, too", "c", "tomorrow");
    assertThat(drained()).containsExactly("a", "b", "b, too", "c");
    assertThat(queue.poll()).isNull();
    assertThat(queue.peek()).isEqualTo(new Due<>(LATER, "tomorrow"));
    assertThat(queue.remainingCapacity()).isEqualTo(Integer.MAX_VALUE);
    assertThat(queue.validate()).isEqualTo(1);
  }

  /// As it may be when others take from it.
  @Test
  void aStreamMayComeToFewerThanItsSizeWas() {
    queue.add("a", ago(2));
    queue.add("b", ago(1));
    queue.add("c", LATER);
    assertThat(queue.stream().peek(_ -> queue.clear()).toList()).isNotEmpty();
    assertThat(queue.spliterator().hasCharacteristics(Spliterator.SIZED)).isFalse();
  }

  @Test
  void anAlternativeFindsWhatTheFirstOneTook() {
    queue.add("a", ago(3));
    queue.add("b", ago(2));
    queue.add("c", ago(1));
    List<String> taken =
        store.transaction(
            () -> {
              String first = queue.poll().element();
              return Transaction.orElse(
                  () -> {
                    queue.poll();
                    queue.poll();
                    return Transaction.retry();
                  },
                  () -> List.of(first, queue.peek().element(), queue.poll().element()));
            });
    assertThat(taken).containsExactly("a", "b", "b");
    assertThat(drained()).containsExactly("c");
  }

  @Test
  void whatATransactionHasPeekedAtIsThereUntilItsEnd() {
    onFile();
    ConcurrentMap<String, Boolean> taken = store.hashMap("taken", String.class, Boolean.class);
    queue.add("a", ago(1));
    boolean[] isAgain = new boolean[1];
    String seen =
        store.transaction(
            () -> {
              Due<String> first = queue.peek();
              if (!isAgain[0]) {
                isAgain[0] = true;
                elsewhere(
                    () -> store.transaction(() -> taken.put(queue.poll().element(), true) == null));
              }
              return first + ", " + taken.get("a");
            });
    assertThat(seen).isEqualTo("null, true");
  }

  @Test
  void whatATransactionHasClearedItDoesNotSee() {
    queue.add("a", ago(1));
    store.transaction(
        () -> {
          queue.clear();
          assertThat(queue.peek()).isNull();
          assertThat(queue.poll()).isNull();
        });
    assertThat(queue).isEmpty();
  }

  @Test
  void aKillKeepsThem() {
    queue.add("b", ago(1));
    queue.add("a", ago(2));
    queue.add("c", ago(1));
    memory = memory.copy();
    store.close();
    store = Holdfast.over(memory);
    queue = store.delayQueue("later", String.class);
    queue.add("d", ago(1));
    assertThat(store.delayQueue("later", String.class)).isSameAs(queue);
    assertThat(drained()).containsExactly("a", "b", "c", "d");
    assertThat(store.roots().getFirst().kind()).isEqualTo("delayQueue");
  }

  /// However soon it is opened again.
  @Test
  void theOrderOfAMillisecondOutlivesOpenings() {
    List<String> added = new ArrayList<>();
    for (int opening = 0; opening < 50; opening++) {
      for (int i = 0; i < 3; i++) {
        added.add(opening + "." + i);
        queue.add(added.getLast(), ago(1));
      }
      store.close();
      store = Holdfast.over(memory);
      queue = store.delayQueue("later", String.class);
    }
    assertThat(drained()).isEqualTo(added);
  }

  @Test
  void itIsWaitedFor() throws InterruptedException {
    Instant soon = Instant.ofEpochMilli(System.currentTimeMillis()).plusMillis(2_000);
    queue.add("soon", soon);
    assertThat(queue.poll()).isNull();
    assertThat(queue.poll(1, TimeUnit.MILLISECONDS)).isNull();
    assertThat(queue.poll(Long.MIN_VALUE, TimeUnit.DAYS)).isNull();
    assertThat(queue.awaitDue(Duration.ofSeconds(30))).isTrue();
    assertThat(queue.take().element()).isEqualTo("soon");
    assertThat(Instant.now()).isAfterOrEqualTo(soon);
    assertThat(queue.awaitDue(Duration.ofMillis(1))).isFalse();
  }

  /// Also those that come in sections.
  @Test
  void anEarlierOneEndsTheWait() throws Exception {
    onFile();
    queue.add("tomorrow", LATER);
    for (boolean inSection : List.of(false, true)) {
      CompletableFuture<Due<String>> taken =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return queue.take();
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              });
      Thread.sleep(20);
      if (inSection) {
        store.atomically(() -> queue.add("now", NOW));
      } else {
        queue.put(new Due<>(NOW, "now"));
      }
      assertThat(taken.get(30, TimeUnit.SECONDS).element()).isEqualTo("now");
    }
  }

  @Test
  void delay2WhatASectionHasTakenOthersPassOver() {
    queue.add("a", ago(3));
    queue.add("b", ago(2));
    queue.add("c", ago(1));
    store.atomically(
        () -> {
          assertThat(polled()).isEqualTo("a");
          assertThat(elsewhere(() -> store.transaction(this::polled))).isEqualTo("b");
          assertThat(elsewhere(queue::peek).element()).isEqualTo("c");
        });
    assertThat(drained()).containsExactly("c");
  }

  /// By an iterator that the section has made before.
  @Test
  void delay2ATransactionInASectionDoesNotGiveBackWhatThatHasTaken() {
    queue.add("a", ago(2));
    queue.add("b", ago(1));
    assertThatThrownBy(
            () ->
                store.allOrNothing(
                    () -> {
                      Iterator<Due<String>> walk = queue.iterator();
                      walk.next();
                      assertThat(polled()).isEqualTo("a");
                      assertThatThrownBy(
                              () ->
                                  store.transaction(
                                      () -> {
                                        walk.remove();
                                        throw new IllegalArgumentException();
                                      }))
                          .isInstanceOf(IllegalArgumentException.class);
                      assertThat(elsewhere(this::polled)).isEqualTo("b");
                      throw new Stopped();
                    }))
        .isInstanceOf(Stopped.class);
    assertThat(drained()).containsExactly("a");
  }

  @Test
  void whatFailsGivesItsElementsBack() {
    queue.add("a", ago(2));
    queue.add("b", ago(1));
    assertThatThrownBy(
            () ->
                store.transaction(
                    () -> {
                      assertThat(polled()).isEqualTo("a");
                      queue.add("c", NOW);
                      assertThat(elsewhere(queue::peek).element()).isEqualTo("b");
                      throw new Stopped();
                    }))
        .isInstanceOf(Stopped.class);
    assertThat(elsewhere(queue::peek).element()).isEqualTo("a");
    assertThatThrownBy(
            () ->
                store.allOrNothing(
                    () -> {
                      assertThat(polled()).isEqualTo("a");
                      assertThat(elsewhere(this::polled)).isEqualTo("b");
                      throw new Stopped();
                    }))
        .isInstanceOf(Stopped.class);
    assertThat(drained()).containsExactly("a");
  }

  @Test
  void aTransactionInASectionHandsItsElementsOver() {
    queue.add("a", ago(2));
    queue.add("b", ago(1));
    store.atomically(
        () -> {
          assertThat(store.transaction(this::polled)).isEqualTo("a");
          assertThat(elsewhere(queue::peek).element()).isEqualTo("b");
          assertThatThrownBy(
                  () ->
                      store.transaction(
                          () -> {
                            assertThat(polled()).isEqualTo("b");
                            throw new Stopped();
                          }))
              .isInstanceOf(Stopped.class);
          assertThat(elsewhere(queue::peek).element()).isEqualTo("b");
        });
    assertThat(drained()).containsExactly("b");
  }

  /// Transactions that poll are not run again for each other.
  @Test
  void pollersShareNothing() {
    queue.add("a", ago(3));
    queue.add("b", ago(2));
    long before = store.transactions().aborted();
    store.transaction(
        () -> {
          assertThat(polled()).isEqualTo("a");
          assertThat(elsewhere(() -> store.transaction(this::polled))).isEqualTo("b");
          elsewhere(() -> queue.offer(new Due<>(ago(5), "z")));
        });
    assertThat(store.transactions().aborted()).isEqualTo(before);
    assertThat(drained()).containsExactly("z");
  }

  @Test
  void whatASectionAddsIsThereAfterIt() {
    store.transaction(
        () -> {
          queue.add("a", NOW);
          assertThat(polled()).isNull();
          assertThat(queue).hasSize(1);
        });
    assertThat(drained()).containsExactly("a");
  }

  @Test
  void removals() {
    for (int i = 0; i < 5; i++) {
      queue.add("e" + i, LATER.plusMillis(i));
    }
    assertThat(queue.remove(new Due<>(LATER.plusMillis(1), "e1"))).isTrue();
    assertThat(queue.remove(new Due<>(LATER.plusMillis(1), "e2"))).isFalse();
    Iterator<Due<String>> each = queue.iterator();
    assertThatThrownBy(each::remove).isInstanceOf(IllegalStateException.class);
    each.next();
    each.remove();
    assertThat(queue).extracting(Due::element).containsExactly("e2", "e3", "e4");
    queue.clear();
    assertThat(queue).isEmpty();
  }

  @Test
  void aTargetThatRefusesLeavesTheElement() {
    queue.add("a", ago(2));
    queue.add("b", ago(1));
    List<Due<String>> one = new ArrayList<>();
    assertThatThrownBy(
            () ->
                queue.drainTo(
                    new ArrayList<>() {
                      private static final long serialVersionUID = 1L;

                      @Override
                      public boolean add(Due<String> due) {
                        if (!one.isEmpty()) {
                          throw new Stopped();
                        }
                        return one.add(due);
                      }
                    }))
        .isInstanceOf(Stopped.class);
    assertThat(one).extracting(Due::element).containsExactly("a");
    assertThat(drained()).containsExactly("b");
  }

  @Test
  void whatIsNotAllowedIsSaid() throws InterruptedException {
    assertThatThrownBy(() -> store.atomically(() -> elsewhereIgnored(queue::take)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Call awaitDue before the section");
    assertThatThrownBy(() -> queue.add(null, NOW)).hasMessage("element");
    assertThatThrownBy(() -> queue.add("a", null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> queue.add("a", Instant.MAX))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no time that a delay queue can have: at=+1000000000-12-31");
    assertThatThrownBy(() -> queue.drainTo(queue)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> store.queue("later", String.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"later\" is a delayQueue of");
    assertThatThrownBy(() -> store.delayQueue("later", Long.class))
        .isInstanceOf(IllegalArgumentException.class);
    Thread.currentThread().interrupt();
    assertThatThrownBy(queue::take).isInstanceOf(InterruptedException.class);
    queue.add("a", Instant.ofEpochMilli(Long.MIN_VALUE));
    assertThat(queue.take().at()).isEqualTo(Instant.ofEpochMilli(Long.MIN_VALUE));
  }

  private static void elsewhereIgnored(java.util.concurrent.Callable<?> action) {
    try {
      action.call();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void thoseWhoWaitAreToldThatItIsGone() throws Exception {
    onFile();
    for (boolean isDeleted : List.of(true, false)) {
      CompletableFuture<Due<String>> taken =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return queue.take();
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              });
      Thread.sleep(20);
      if (isDeleted) {
        store.delete("later");
      } else {
        store.close();
      }
      assertThatThrownBy(() -> taken.get(30, TimeUnit.SECONDS))
          .cause()
          .isInstanceOf(isDeleted ? RootDeletedException.class : StoreClosedException.class);
      if (isDeleted) {
        queue = store.delayQueue("later", String.class);
      }
    }
  }

  /// Beside the JDK's, one thread.
  @Test
  void asTheJdksDelayQueue() {
    java.util.Random random = new java.util.Random(5);
    DelayQueue<Due<String>> twin = new DelayQueue<>();
    for (int i = 0; i < 3_000; i++) {
      switch (random.nextInt(6)) {
        case 0, 1, 2 -> {
          // No two of one time: the JDK's has no order among these.
          Due<String> due =
              new Due<>(random.nextBoolean() ? ago(1 + i) : LATER.plusMillis(i), "e" + i);
          assertThat(queue.add(due)).isEqualTo(twin.add(due));
        }
        case 3 -> assertThat(queue.peek()).isEqualTo(twin.peek());
        case 4 -> {
          Due<String> any = twin.isEmpty() ? new Due<>(NOW, "") : twin.iterator().next();
          assertThat(queue.remove(any)).isEqualTo(twin.remove(any));
        }
        default -> assertThat(queue.poll()).isEqualTo(twin.poll());
      }
      assertThat(queue).hasSameSizeAs(twin);
    }
    assertThat(queue).containsExactlyInAnyOrderElementsOf(twin);
  }

  /// DELAY-1. Virtual threads that look in vain, without a wait, would keep others from their
  /// carriers.
  @Test
  void manyTakeEachElementOnce() throws Exception {
    onFile();
    ConcurrentMap<String, Integer> taken = new ConcurrentHashMap<>();
    CountDownLatch left = new CountDownLatch(600);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      int style = i % 3;
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (left.getCount() > 0) {
                      String element =
                          switch (style) {
                            case 0 -> polled();
                            case 1 -> store.transaction(this::polled);
                            default -> store.atomically(this::polled);
                          };
                      if (element != null) {
                        taken.merge(element, 1, Integer::sum);
                        left.countDown();
                      }
                    }
                  }));
    }
    for (int i = 0; i < 600; i++) {
      queue.add("e" + i, Instant.ofEpochMilli(System.currentTimeMillis()).plusMillis(i % 7));
    }
    assertThat(left.await(40, TimeUnit.SECONDS)).isTrue();
    for (Thread each : threads) {
      each.join();
    }
    assertThat(taken).hasSize(600);
    assertThat(taken.values()).containsOnly(1);
    assertThat(queue).isEmpty();
  }
}
