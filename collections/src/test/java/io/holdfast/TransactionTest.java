package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.holdfast.collections.PersistentDelayQueue;
import io.holdfast.collections.PersistentHashMap;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.collections.PersistentTreeMap;
import io.holdfast.core.HoldfastException;
import io.holdfast.core.TransactionTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Transactions over maps of a real file; other collections have tests of their own.
@Timeout(60)
class TransactionTest {
  @TempDir Path dir;
  private Holdfast store;
  private ConcurrentMap<String, Long> accounts;

  @BeforeEach
  void open() {
    store = Holdfast.open(dir.resolve("t.hf"));
    accounts = store.hashMap("accounts", String.class, Long.class);
    accounts.put("a", 100L);
    accounts.put("b", 0L);
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void t3ATransferIsThere() {
    long left =
        store.transaction(
            () -> {
              accounts.merge("a", -30L, Long::sum);
              accounts.merge("b", 30L, Long::sum);
              return accounts.get("a");
            });
    assertThat(left).isEqualTo(70);
    assertThat(accounts).containsEntry("a", 70L).containsEntry("b", 30L);
  }

  @Test
  void t5AnExceptionLeavesNothing() {
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(
            () ->
                store.transaction(
                    () -> {
                      accounts.put("a", 0L);
                      accounts.remove("b");
                      accounts.put("c", 1L / accounts.get("a"));
                    }));
    assertThat(accounts).containsEntry("a", 100L).containsEntry("b", 0L).hasSize(2);
  }

  @Test
  void t1NobodySeesWhatIsNotCommitted() throws Exception {
    store.transaction(
        () -> {
          accounts.put("a", 1L);
          accounts.put("new", 2L);
          assertThat(accounts).containsEntry("a", 1L).containsEntry("new", 2L).hasSize(3);
          assertThat(otherThreadSees("a")).isEqualTo(100L);
          assertThat(otherThreadSees("new")).isNull();
        });
    assertThat(otherThreadSees("new")).isEqualTo(2L);
  }

  private Long otherThreadSees(String key) {
    Long[] seen = new Long[1];
    Thread thread = Thread.ofPlatform().start(() -> seen[0] = accounts.get(key));
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return seen[0];
  }

  @Test
  void t4TheBodyRunsAgainWhenWhatItReadHasChanged() {
    List<Long> seen = new ArrayList<>();
    store.transaction(
        () -> {
          long a = accounts.get("a");
          seen.add(a);
          if (seen.size() == 1) {
            inAnotherThread(() -> accounts.put("a", 7L));
          }
          accounts.put("b", a);
        });
    assertThat(seen).containsExactly(100L, 7L);
    assertThat(accounts).containsEntry("b", 7L);
    assertThat(store.transactions().aborted()).isEqualTo(1);
  }

  /// A program wraps what it does not know, and what it throws then must not reach the caller.
  @Test
  void t4AConflictThatTheBodyWrapsRunsItAgain() {
    for (boolean isError : List.of(false, true)) {
      int[] runs = new int[1];
      Long b =
          store.transaction(
              () -> {
                try {
                  accounts.get("a");
                  if (++runs[0] == 1) {
                    inAnotherThread(() -> accounts.merge("a", 1L, Long::sum));
                  }
                  return accounts.get("b");
                } catch (RuntimeException e) {
                  if (isError) {
                    throw new AssertionError(e);
                  }
                  throw new IllegalArgumentException(e);
                }
              });
      assertThat(b).isZero();
      assertThat(runs[0]).isEqualTo(2);
    }
  }

  @Test
  void aRetryThatIsWrappedOrSwallowedLeavesItsAlternative() {
    for (boolean isSwallowed : List.of(false, true)) {
      String done =
          store.transaction(
              () ->
                  Transaction.orElse(
                      () -> {
                        try {
                          accounts.put("a", 0L);
                          return Transaction.retry();
                        } catch (RuntimeException e) {
                          if (isSwallowed) {
                            return "first";
                          }
                          throw new IllegalArgumentException(e);
                        }
                      },
                      () -> "second"));
      assertThat(done).isEqualTo("second");
      assertThat(accounts).containsEntry("a", 100L);
    }
  }

  private static void inAnotherThread(Runnable action) {
    FutureTask<Void> task = new FutureTask<>(action, null);
    Thread.ofPlatform().start(task);
    try {
      task.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void t6ATransactionWhoseReadingsAlwaysChangeEnds() {
    int[] runs = new int[1];
    store.transaction(
        () -> {
          long a = accounts.get("a");
          if (++runs[0] <= 8) {
            inAnotherThread(() -> accounts.merge("a", 1L, Long::sum));
          }
          accounts.put("b", a);
        });
    assertThat(accounts).containsEntry("a", 108L).containsEntry("b", 108L);
    assertThat(store.transactions().locking()).isEqualTo(1);
  }

  @Test
  void t2NoBodySeesHalfOfAnother() throws Exception {
    int moves = 3_000;
    Thread mover =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (int i = 0; i < moves; i++) {
                    store.transaction(
                        () -> {
                          accounts.merge("a", -1L, Long::sum);
                          accounts.merge("b", 1L, Long::sum);
                        });
                  }
                });
    int looks = 0;
    while (mover.isAlive()) {
      store.transaction(
          () -> assertThat(accounts.get("a") + accounts.get("b")).isEqualTo(100)); // in the body
      looks++;
    }
    mover.join();
    assertThat(looks).isPositive();
    assertThat(accounts).containsEntry("b", (long) moves);
  }

  @Test
  void t7InAnAtomicallyItIsRolledBackByItself() {
    store.atomically(
        () -> {
          accounts.put("a", 1L);
          try {
            store.transaction(
                () -> {
                  assertThat(accounts.get("a")).isEqualTo(1L);
                  accounts.put("b", 5L);
                  throw new IllegalArgumentException("no");
                });
          } catch (IllegalArgumentException e) {
            accounts.put("c", 3L);
          }
          store.transaction(() -> accounts.merge("a", 1L, Long::sum));
          assertThat(accounts.get("a")).isEqualTo(2L);
          assertThat(otherThreadSees("a")).isEqualTo(100L);
        });
    assertThat(accounts)
        .containsEntry("a", 2L)
        .containsEntry("b", 0L)
        .containsEntry("c", 3L)
        .hasSize(3);
  }

  @Test
  void retryOutsideOfTransactionsIsRefused() {
    assertThatIllegalStateException().isThrownBy(Transaction::retry);
  }

  @Test
  void wake1ARetryIsWoken() throws Exception {
    Thread waiting =
        Thread.ofVirtual()
            .start(
                () ->
                    store.transaction(
                        () -> {
                          if (accounts.get("b") == 0) {
                            Transaction.retry();
                          }
                          accounts.put("seen", accounts.get("b"));
                        }));
    while (store.transactions().waited() == 0) {
      Thread.onSpinWait();
    }
    accounts.put("b", 9L);
    waiting.join();
    assertThat(accounts).containsEntry("seen", 9L);
  }

  @Test
  void anInterruptedThreadWaitsForNothingAndStaysInterrupted() {
    Thread.currentThread().interrupt();
    assertThatExceptionOfType(HoldfastException.class)
        .isThrownBy(
            () ->
                store.transaction(
                    () -> {
                      accounts.put("a", 0L);
                      Transaction.retry();
                    }))
        .withMessageContainingAll("t.hf", "interrupted", "run it again");
    assertThat(Thread.interrupted()).isTrue();
    assertThat(accounts).containsEntry("a", 100L);
  }

  @Test
  void orElseDropsWhatTheFirstDid() {
    String done =
        store.transaction(
            () ->
                Transaction.orElse(
                    () -> {
                      accounts.put("a", 0L);
                      return Transaction.retry();
                    },
                    () -> {
                      accounts.put("b", accounts.get("a"));
                      return "second";
                    }));
    assertThat(done).isEqualTo("second");
    assertThat(accounts).containsEntry("a", 100L).containsEntry("b", 100L);
  }

  @Test
  void aTimeLimitThatIsOverIsToldWithTheRemedy() {
    Transaction.Options limited = Transaction.Options.defaults().timeLimit(Duration.ofNanos(1_000));
    assertThatExceptionOfType(TransactionTimeoutException.class)
        .isThrownBy(() -> store.transaction(limited, () -> Transaction.<Long>retry()))
        .withMessageContainingAll("t.hf", "limit=PT0.000001S", "try again, or allow more time");
  }

  @Test
  void aTimeLimitIsMoreThanZero() {
    for (Duration limit : List.of(Duration.ZERO, Duration.ofSeconds(Long.MIN_VALUE))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new Transaction.Options(false, limit, false))
          .withMessageContaining("timeLimit=" + limit);
    }
  }

  @Test
  void aReadOnlyOneRefusesChanges() {
    Transaction.Options readOnly = Transaction.Options.defaults().readOnly();
    assertThat(store.transaction(readOnly, () -> accounts.get("a") + accounts.get("b")))
        .isEqualTo(100L);
    assertThatIllegalStateException()
        .isThrownBy(() -> store.transaction(readOnly, () -> accounts.put("a", 1L)));
    store.transaction(
        () -> {
          accounts.put("a", 2L);
          assertThatIllegalStateException()
              .isThrownBy(() -> store.transaction(readOnly, () -> accounts.put("a", 3L)));
          accounts.merge("a", 1L, Long::sum);
        });
    assertThat(accounts).containsEntry("a", 3L);
  }

  /// Who looks in a block has changed nothing, so nobody comes to depend on the block.
  @Test
  void whoLooksIsDependedOnByNobody() {
    AllOfThem all = new AllOfThem();
    all.change();
    all.looks().forEach(this::lookInBlocks);
    close();
    store = Holdfast.open(dir.resolve("t.hf"));
    AllOfThem[] opened = new AllOfThem[1];
    store.atomically(
        () -> {
          opened[0] = new AllOfThem();
          inAnotherThread(() -> assertSafe(opened[0]::change));
        });
    opened[0].looks().forEach(this::lookInBlocks);
  }

  private final class AllOfThem {
    private final PersistentHashMap<Long, Long> hashed =
        store.hashMap("hashed", Long.class, Long.class);
    private final PersistentHashMap<Long, String> texts =
        store.hashMap("texts", Long.class, String.class);
    private final PersistentTreeMap<Long, String> sorted =
        store.treeMap("sorted", Long.class, String.class);
    private final PersistentQueue<Long> queue = store.queue("queue", Long.class);
    private final PersistentDelayQueue<Long> later = store.delayQueue("later", Long.class);

    private void change() {
      hashed.merge(1L, 1L, Long::sum);
      texts.merge(1L, "a", String::concat);
      sorted.merge(1L, "a", String::concat);
      queue.add(1L);
      later.add(1L, Instant.EPOCH);
    }

    private List<Runnable> looks() {
      return List.of(
          () -> hashed.get(1L),
          hashed::size,
          hashed::toString,
          () -> hashed.containsValue(9L),
          () -> texts.get(1L),
          texts::size,
          texts::toString,
          () -> sorted.get(1L),
          sorted::size,
          sorted::toString,
          sorted::lastEntry,
          () -> sorted.indexOf(1L),
          () -> sorted.keyAt(0),
          () -> sorted.headMap(1L).size(),
          queue::size,
          queue::isEmpty,
          queue::peek,
          queue::toString,
          () -> queue.contains(9L),
          later::size,
          later::peek,
          later::toString,
          store::roots,
          store::jobs,
          store::unfinished);
    }
  }

  private void lookInBlocks(Runnable look) {
    store.transaction(Transaction.Options.defaults().readOnly(), lookOnce(look));
    store.transaction(lookOnce(look));
    store.atomically(lookOnce(look));
  }

  private Runnable lookOnce(Runnable look) {
    AtomicBoolean isDone = new AtomicBoolean();
    return () -> {
      look.run();
      if (!isDone.getAndSet(true)) {
        inAnotherThread(() -> assertSafe(() -> new AllOfThem().change()));
      }
    };
  }

  private void assertSafe(Runnable change) {
    change.run();
    assertThat(store.receipt().isSafe()).as("what others change is").isTrue();
  }

  /// A parallel stream has threads that know nothing of the block.
  @Test
  void parallelStreamsSeeWhatTheBlockHasChanged() {
    var sorted = store.treeMap("sorted", Long.class, Long.class);
    var queue = store.queue("queue", Long.class);
    var later = store.delayQueue("later", Long.class);
    LongConsumer add =
        each -> {
          sorted.put(each, each);
          queue.add(each);
          later.add(each, Instant.EPOCH);
        };
    LongStream.range(0, 5_000).forEach(add);
    store.transaction(
        () -> {
          LongStream.range(5_000, 10_000).forEach(add);
          for (Collection<?> each :
              List.of(sorted.keySet(), sorted.values(), sorted.entrySet(), queue, later)) {
            assertThat(each.parallelStream().count()).isEqualTo(10_000);
            assertThat(each.parallelStream().map(String::valueOf).distinct().count())
                .as("of " + each.getClass())
                .isEqualTo(10_000);
          }
        });
  }
}
