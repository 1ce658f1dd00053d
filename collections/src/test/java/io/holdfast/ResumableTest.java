package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.tuple;

import io.holdfast.codec.Codec;
import io.holdfast.codec.CodecException;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.core.CallFailedException;
import io.holdfast.core.Durability;
import io.holdfast.core.RegionFullException;
import io.holdfast.core.RootDeletedException;
import io.holdfast.core.StoreClosedException;
import io.holdfast.core.fixture.QuietRecoveries;
import io.holdfast.core.fixture.Words;
import io.holdfast.core.region.Region;
import io.holdfast.testkit.RecordingMemory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Functions whose calls happen once: what they return and throw, and what is kept of them.
@Timeout(60)
@ExtendWith(QuietRecoveries.class)
class ResumableTest {
  private static final Logger LOG = Logger.getLogger("io.holdfast");

  @BeforeAll
  static void logNoFailuresOfCalls() {
    LOG.setFilter(logged -> !logged.getMessage().contains("resumable"));
  }

  @AfterAll
  static void logAll() {
    LOG.setFilter(null);
  }

  record Transfer(long from, long to, long cents) {}

  /// What the same became in a later version of the program.
  record TransferWithText(long from, long to, long cents, String text) {}

  private static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Refused() {
      super("no such account");
    }
  }

  @TempDir private Path directory;

  private RecordingMemory memory = new RecordingMemory();
  private Holdfast store = Holdfast.over(memory);

  @AfterEach
  void close() {
    store.close();
  }

  private Map<Long, Long> accounts() {
    return store.hashMap("accounts", Long.class, Long.class);
  }

  private Void move(Transfer transfer) {
    accounts().merge(transfer.from(), -transfer.cents(), Long::sum);
    accounts().merge(transfer.to(), transfer.cents(), Long::sum);
    return null;
  }

  private Resumable<Transfer, Void> transfers() {
    return store.resumable("transfer", Transfer.class, this::move);
  }

  private Resumable<Integer, Integer> counting(
      Resumable.Options<Integer> options, Function<Integer, Integer> function) {
    return store.resumable("count", Integer.class, Integer.class, options, function);
  }

  /// The store as a kill would leave it at this moment, opened.
  private void kill() {
    memory = memory.copy();
    store.close();
    store = Holdfast.over(memory);
  }

  @Test
  void aConflictThatTheFunctionWrapsIsNoFailure() {
    Map<Long, Long> accounts = accounts();
    int[] runs = new int[1];
    Resumable<Integer, Integer> counted =
        counting(
            Resumable.Options.defaults(),
            _ -> {
              try {
                accounts.get(1L);
                if (++runs[0] == 1) {
                  CompletableFuture.runAsync(() -> accounts.put(1L, 1L)).join();
                }
                accounts.get(2L);
                return runs[0];
              } catch (RuntimeException e) {
                throw new IllegalArgumentException("the function failed", e);
              }
            });
    assertThat(counted.run("once", 0)).isEqualTo(2);
  }

  private void leaveUnfinished(int... arguments) {
    Resumable<Integer, Integer> failing =
        counting(
            Resumable.Options.<Integer>defaults().retryFailed(),
            _ -> {
              throw new Refused();
            });
    for (int each : arguments) {
      assertThatThrownBy(() -> failing.run(each)).isInstanceOf(Refused.class);
    }
    kill();
  }

  /// X2: of a call inside of a transaction that goes on without it, the accepted one and a new one.
  @Test
  void x2WhatATransactionCatchesLeavesNothing() {
    boolean[] isBroken = {true};
    Resumable<Integer, Integer> failing =
        counting(
            Resumable.Options.<Integer>defaults().retryFailed(),
            each -> {
              accounts().merge(1L, 1L, Long::sum);
              store.onDurable(() -> accounts().put(-1L, 1L));
              if (isBroken[0]) {
                throw new Refused();
              }
              return each;
            });
    assertThatThrownBy(() -> failing.run("accepted", 1)).isInstanceOf(Refused.class);
    store.transaction(
        () -> {
          accounts().put(2L, 1L);
          for (String id : List.of("accepted", "accepted", "new")) {
            assertThatThrownBy(() -> failing.run(id, 1)).isInstanceOf(Refused.class);
          }
          assertThatThrownBy(() -> failing.run(1)).isInstanceOf(Refused.class);
          accounts().put(3L, 1L);
        });
    assertThat(accounts()).isEqualTo(Map.of(2L, 1L, 3L, 1L));
    assertThat(store.unfinished()).extracting(Unfinished::id).containsExactly("accepted");
    isBroken[0] = false;
    assertThat(failing.run("accepted", 1)).isEqualTo(1);
    assertThat(failing.run("new", 2)).isEqualTo(2);
    assertThat(accounts()).containsEntry(1L, 2L);
  }

  @Test
  void aCallIsMade() {
    transfers().run(new Transfer(1, 2, 500));
    assertThat(accounts()).isEqualTo(Map.of(1L, -500L, 2L, 500L));
    assertThat(store.unfinished()).isEmpty();
  }

  @Test
  void aSecondCallWithTheIdReturnsTheKeptResult() {
    List<Integer> made = new ArrayList<>();
    Resumable<Integer, Integer> twice =
        counting(
            Resumable.Options.defaults(),
            x -> {
              made.add(x);
              return 2 * x;
            });
    assertThat(twice.run("a", 1)).isEqualTo(2);
    assertThat(twice.run("a", 7)).isEqualTo(2);
    assertThat(twice.run("b", 7)).isEqualTo(14);
    assertThat(twice.submit("a", 8).join()).isEqualTo(2);
    kill();
    assertThat(counting(Resumable.Options.defaults(), x -> 3 * x).run("a", 1)).isEqualTo(2);
    assertThat(made).containsExactly(1, 7);
  }

  @Test
  void outcomesAreKeptById() {
    Instant before = Instant.ofEpochMilli(System.currentTimeMillis());
    Resumable<Integer, Integer> twice = counting(Resumable.Options.defaults(), x -> 2 * x);
    twice.run("a", 1);
    assertThat(twice.outcome("b")).isEmpty();
    assertThat(twice.outcome("a"))
        .hasValueSatisfying(
            found -> {
              assertThat(found.result()).isEqualTo(2);
              assertThat(found.failure()).isNull();
              assertThat(found.finished()).isBetween(before, Instant.now());
            });
  }

  @Test
  void x3TheFunctionGetsWhatWasStored() {
    List<Transfer> got = new ArrayList<>();
    Resumable<Transfer, Void> transfer =
        store.resumable(
            "transfer",
            Transfer.class,
            t -> {
              got.add(t);
            });
    Transfer given = new Transfer(1, 2, 500);
    transfer.run(given);
    store.atomically(() -> transfer.run(given));
    assertThat(got).containsExactly(given, given);
    assertThat(got.getFirst()).isNotSameAs(given);
    assertThat(got.getLast()).isNotSameAs(given);
  }

  /// CALL-3
  @Test
  void x4UnfinishedCallsRunInTheOrderOfTheirAcceptance() {
    leaveUnfinished(5, 3, 9, 1, 7);
    leaveUnfinished(2, 8);
    List<Integer> made = new ArrayList<>();
    Resumable<Integer, Integer> count =
        counting(
            Resumable.Options.defaults(),
            x -> {
              made.add(x);
              return x;
            });
    assertThat(made).containsExactly(5, 3, 9, 1, 7, 2, 8);
    assertThat(store.unfinished()).isEmpty();
    count.run(10);
    assertThat(made).hasSize(8).endsWith(10);
  }

  @Test
  void x5AStoreOpensWithoutTheFunction() {
    Resumable<Transfer, Void> transfer =
        store.resumable(
            "transfer",
            Transfer.class,
            Resumable.Options.<Transfer>defaults().retryFailed(),
            _ -> {
              throw new Refused();
            });
    assertThatThrownBy(() -> transfer.run("order-1", new Transfer(1, 2, 500)))
        .isInstanceOf(Refused.class);
    assertThatThrownBy(() -> transfer.run(new Transfer(2, 3, 400))).isInstanceOf(Refused.class);
    kill();
    assertThat(store.unfinished())
        .extracting(Unfinished::name, Unfinished::id, Unfinished::argument)
        .containsExactly(
            tuple("transfer", "order-1", Map.of("from", 1L, "to", 2L, "cents", 500L)),
            tuple("transfer", null, Map.of("from", 2L, "to", 3L, "cents", 400L)));
    assertThat(store.unfinished().getFirst().accepted())
        .isBetween(Instant.now().minusSeconds(60), Instant.now());
    assertThat(store.roots()).as("collections").isEmpty();
    transfers();
    assertThat(accounts()).isEqualTo(Map.of(1L, -500L, 2L, 100L, 3L, 400L));
    assertThat(store.unfinished()).isEmpty();
  }

  @Test
  void argumentsMayGrow() {
    Resumable<Transfer, Void> transfer =
        store.resumable(
            "transfer",
            Transfer.class,
            Resumable.Options.<Transfer>defaults().retryFailed(),
            _ -> {
              throw new Refused();
            });
    assertThatThrownBy(() -> transfer.run("x", new Transfer(1, 2, 5))).isInstanceOf(Refused.class);
    kill();
    assertThat(store.unfinished()).as("listed in the old form").hasSize(1);
    List<TransferWithText> made = new ArrayList<>();
    store
        .resumable(
            "transfer",
            TransferWithText.class,
            t -> {
              made.add(t);
            })
        .run(new TransferWithText(3, 4, 6, "text"));
    assertThat(made)
        .containsExactly(
            new TransferWithText(1, 2, 5, null), new TransferWithText(3, 4, 6, "text"));
    kill();
    assertThatThrownBy(() -> store.resumable("transfer", String.class, _ -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("transfer");
  }

  @Test
  void callsOfAnotherVersionAreRefusedOrUpgraded() {
    leaveUnfinished(1, 2);
    List<Integer> made = new ArrayList<>();
    Function<Integer, Integer> function =
        x -> {
          made.add(x);
          return x;
        };
    assertThatThrownBy(() -> counting(Resumable.Options.<Integer>defaults().version(3), function))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll("count", "found=0, registered=3");
    assertThat(store.unfinished()).hasSize(2);
    counting(
        Resumable.Options.<Integer>defaults().version(3, (version, x) -> 100 * (version + 1) + x),
        function);
    assertThat(made).containsExactly(101, 102);
  }

  @Test
  void aFailureIsRecordedAndNotRepeated() {
    List<Integer> made = new ArrayList<>();
    Resumable<Integer, Integer> failing =
        counting(
            Resumable.Options.defaults(),
            x -> {
              made.add(x);
              accounts().put(1L, 1L);
              throw new Refused();
            });
    assertThatThrownBy(() -> failing.run("a", 1)).isInstanceOf(Refused.class);
    assertThatThrownBy(() -> failing.run("a", 1))
        .isInstanceOf(CallFailedException.class)
        .hasMessageContainingAll("count", "no such account");
    assertThatThrownBy(() -> failing.submit("a", 1).get())
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(CallFailedException.class);
    assertThat(made).containsExactly(1);
    assertThat(accounts()).as("undone").isEmpty();
    assertThat(failing.outcome("a").orElseThrow().failure()).contains("no such account");
    assertThat(store.unfinished()).isEmpty();
    assertThatThrownBy(() -> failing.run(2)).isInstanceOf(Refused.class);
    assertThat(store.unfinished()).isEmpty();
  }

  @Test
  void failuresOfWhatWasLeftDoNotKeepOthersWaiting() {
    leaveUnfinished(1, 2, 3);
    List<Integer> made = new ArrayList<>();
    counting(
        Resumable.Options.defaults(),
        x -> {
          if (x == 2) {
            throw new Refused();
          }
          made.add(x);
          return x;
        });
    assertThat(made).containsExactly(1, 3);
    assertThat(store.unfinished()).isEmpty();
  }

  @Test
  void aFailedCallIsMadeAgainIfThatIsAskedFor() {
    boolean[] isOpen = new boolean[1];
    List<Integer> made = new ArrayList<>();
    Resumable<Integer, Integer> count =
        counting(
            Resumable.Options.<Integer>defaults().retryFailed().orderedBy(x -> x % 2),
            x -> {
              if (x == 1 && !isOpen[0]) {
                throw new Refused();
              }
              made.add(x);
              return x;
            });
    assertThatThrownBy(() -> count.run("one", 1)).isInstanceOf(Refused.class);
    assertThatThrownBy(() -> count.run("one", 1)).isInstanceOf(Refused.class);
    assertThatThrownBy(() -> count.run("three", 3))
        .as("one of its key is before it")
        .isInstanceOf(IllegalStateException.class)
        .hasRootCauseInstanceOf(Refused.class);
    count.run("two", 2);
    assertThat(store.unfinished()).extracting(Unfinished::id).containsExactly("one", "three");
    isOpen[0] = true;
    assertThat(count.run("five", 5)).isEqualTo(5);
    assertThat(made).containsExactly(2, 1, 3, 5);
    assertThat(store.unfinished()).isEmpty();
  }

  @Test
  void errorsSayNothingAboutTheCall() {
    boolean[] isOpen = new boolean[1];
    Resumable<Integer, Integer> count =
        counting(
            Resumable.Options.defaults(),
            x -> {
              if (!isOpen[0]) {
                throw new StackOverflowError();
              }
              return x;
            });
    assertThatThrownBy(() -> count.run("a", 1)).isInstanceOf(StackOverflowError.class);
    assertThat(store.unfinished()).hasSize(1);
    isOpen[0] = true;
    count.resume();
    assertThat(count.outcome("a").orElseThrow().result()).isEqualTo(1);
  }

  /// A key whose use fails when the call is about to be made.
  private record Key(int number, boolean[] fails) {
    @Override
    public int hashCode() {
      if (fails[0]) {
        throw new OutOfMemoryError("injected");
      }
      return number;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Key key && key.number == number;
    }
  }

  @Test
  void anErrorBeforeACallOfASectionIsTold() {
    boolean[] fails = new boolean[1];
    Resumable<Integer, Integer> count =
        counting(
            Resumable.Options.<Integer>defaults().orderedBy(number -> new Key(number, fails)),
            x -> x);
    CompletableFuture<Integer> made =
        store.atomically(
            () -> {
              CompletableFuture<Integer> submitted = count.submit(1);
              fails[0] = true;
              return submitted;
            });
    assertThatThrownBy(() -> made.get(20, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(OutOfMemoryError.class);
    assertThat(store.unfinished()).hasSize(1);
  }

  @Test
  void finishedIdsAreForgottenByCountAndByAge() throws InterruptedException {
    Resumable<Integer, Integer> count =
        counting(Resumable.Options.<Integer>defaults().keep(3, Duration.ofDays(1)), x -> x);
    for (int i = 0; i < 10; i++) {
      count.run("id " + i, i);
    }
    assertThat(count.outcome("id 6")).isEmpty();
    assertThat(count.outcome("id 7")).isPresent();
    assertThat(count.run("id 0", 100)).as("a new one").isEqualTo(100);
    kill();
    Resumable<Integer, Integer> brief =
        counting(Resumable.Options.<Integer>defaults().keep(100, Duration.ofMillis(1)), x -> x);
    Thread.sleep(5);
    brief.run("last", 1);
    assertThat(List.of("id 8", "id 9", "id 0")).noneMatch(id -> brief.outcome(id).isPresent());
  }

  /// Later ids would be kept as long as this one.
  @Test
  void anIdThatAClockWhichRanAheadHasFinishedIsForgotten() {
    counting(Resumable.Options.defaults(), x -> x).run("early", 1);
    store.close();
    try (Region region = Words.open(memory)) {
      Queue<Finished> finished =
          new PersistentQueue<>(
              region,
              Codec.of(Finished.class),
              region.roots().find("count/finished").firstBlock(),
              Integer.MAX_VALUE);
      finished.clear();
      finished.add(new Finished("early", Instant.now().plus(Duration.ofDays(365))));
    }
    store = Holdfast.over(memory);
    assertThat(counting(Resumable.Options.defaults(), x -> x).outcome("early"))
        .as("it is kept from now on")
        .isPresent();
    kill();
    Resumable.Options<Integer> brief =
        Resumable.Options.<Integer>defaults().keep(1_000_000, Duration.ofMillis(1));
    Resumable<Integer, Integer> count = counting(brief, x -> x);
    for (int i = 0; i < 10_000 && count.outcome("early").isPresent(); i++) {
      count.run("id " + i, i);
    }
    assertThat(count.outcome("early")).isEmpty();
  }

  /// As a collection that has another name.
  @ParameterizedTest
  @ValueSource(strings = {"results", "finished", "scheduled", "scheduledIds"})
  void aDeletionLeavesAResumableWhoseNameIsLonger(String suffix) {
    String name = "orders/" + suffix;
    store.queue("orders", String.class).add("an order");
    Resumable<Integer, Void> other =
        store.resumable(
            name,
            Integer.class,
            _ -> {
              throw new OutOfMemoryError("of the function's");
            });
    assertThatThrownBy(() -> other.run("id", 1)).isInstanceOf(OutOfMemoryError.class);
    assertThat(store.delete("orders")).isTrue();
    assertThat(store.delete("orders")).isFalse();
    assertThat(store.unfinished()).extracting(Unfinished::name).containsExactly(name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"results", "finished"})
  void aRegistrationLeavesAResumableWhoseNameIsLonger(String suffix) {
    store.resumable("count/" + suffix, Integer.class, _ -> {}).run("id", 1);
    assertThatThrownBy(() -> counting(Resumable.Options.defaults(), x -> x))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("count/" + suffix, "use another name");
    kill();
    assertThat(store.resumable("count/" + suffix, Integer.class, _ -> {}).outcome("id"))
        .isPresent();
  }

  @ParameterizedTest
  @ValueSource(strings = {"results", "finished"})
  void whatAResumableKeepsIsNotDeletedWithoutIt(String suffix) {
    Resumable<Integer, Integer> count = counting(Resumable.Options.defaults(), x -> x);
    count.run("id", 1);
    assertThatThrownBy(() -> store.delete("count/" + suffix))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is a part of resumable count");
    assertThat(count.run("id", 2)).isEqualTo(1);
    assertThat(store.delete("count")).isTrue();
  }

  /// An error of one call says nothing about the others, nor about the resumable.
  @Test
  void anErrorLeavesOneCallUnfinished() {
    Resumable<Integer, Void> failing =
        store.resumable(
            "load",
            Integer.class,
            _ -> {
              throw new NoClassDefFoundError("of an earlier release");
            });
    for (int i = 1; i <= 3; i++) {
      CompletableFuture<Void> call = failing.submit(i);
      assertThatThrownBy(call::get).hasCauseInstanceOf(NoClassDefFoundError.class);
    }
    kill();
    List<Integer> made = new ArrayList<>();
    Resumable<Integer, Void> load =
        store.resumable(
            "load",
            Integer.class,
            call -> {
              if (call == 1) {
                throw new StackOverflowError("of the function's");
              }
              made.add(call);
            });
    assertThat(made).containsExactly(2, 3);
    assertThat(store.unfinished()).extracting(Unfinished::argument).containsExactly(1);
    load.resume();
    assertThat(store.unfinished()).hasSize(1);
    load.run(4);
    assertThat(made).containsExactly(2, 3, 4);
  }

  @Test
  void inASectionACallIsAPartOfIt() {
    Resumable<Transfer, Void> transfer = transfers();
    Refused refused = new Refused();
    assertThatThrownBy(
            () ->
                store.transaction(
                    () -> {
                      transfer.run("a", new Transfer(1, 2, 500));
                      throw refused;
                    }))
        .isSameAs(refused);
    assertThat(accounts()).isEmpty();
    assertThat(transfer.outcome("a")).isEmpty();
    DurableLock lock = new DurableLock();
    lock.lock();
    try {
      transfer.run("a", new Transfer(1, 2, 500));
      transfer.run("a", new Transfer(1, 2, 500));
    } finally {
      lock.unlock();
    }
    store.atomically(() -> transfer.run("a", new Transfer(1, 2, 500)));
    transfer.run("a", new Transfer(1, 2, 500));
    assertThat(accounts()).isEqualTo(Map.of(1L, -500L, 2L, 500L));
  }

  @Test
  void inASectionAFailureIsAnExceptionAlone() {
    Resumable<Integer, Integer> failing =
        counting(
            Resumable.Options.defaults(),
            x -> {
              accounts().put(1L, 1L);
              throw new Refused();
            });
    store.atomically(
        () -> {
          accounts().put(2L, 2L);
          assertThatThrownBy(() -> failing.run("a", 1)).isInstanceOf(Refused.class);
        });
    assertThat(accounts()).containsOnlyKeys(2L);
    assertThat(failing.outcome("a")).isEmpty();
  }

  @Test
  void inASectionAnUnfinishedCallIsFinished() {
    boolean[] isOpen = new boolean[1];
    Resumable<Integer, Integer> count =
        counting(
            Resumable.Options.<Integer>defaults().retryFailed().orderedBy(_ -> "all"),
            x -> {
              if (!isOpen[0]) {
                throw new Refused();
              }
              return 2 * x;
            });
    assertThatThrownBy(() -> count.run("a", 1)).isInstanceOf(Refused.class);
    isOpen[0] = true;
    assertThat(store.transaction(() -> count.run("a", 9))).isEqualTo(2);
    assertThat(store.unfinished()).isEmpty();
    assertThat(count.run("a", 9)).isEqualTo(2);
    assertThat(count.run("b", 2)).isEqualTo(4);
  }

  @Test
  void inASectionACallIsAcceptedWithIt() throws Exception {
    Resumable<Transfer, Void> transfer = transfers();
    List<CompletableFuture<Void>> futures = new ArrayList<>();
    assertThatThrownBy(
            () ->
                store.transaction(
                    () -> {
                      futures.add(transfer.submit("a", new Transfer(1, 2, 500)));
                      throw new Refused();
                    }))
        .isInstanceOf(Refused.class);
    assertThat(store.unfinished()).isEmpty();
    store.atomically(
        () -> {
          futures.add(transfer.submit("a", new Transfer(1, 2, 500)));
          futures.add(transfer.submit("a", new Transfer(1, 2, 500)));
          accounts().put(3L, 3L);
        });
    futures.get(1).get(10, TimeUnit.SECONDS);
    futures.get(2).get(10, TimeUnit.SECONDS);
    assertThat(futures.getFirst()).isNotDone();
    assertThat(accounts()).isEqualTo(Map.of(1L, -500L, 2L, 500L, 3L, 3L));
  }

  /// The transactional outbox: what one function asks of another is accepted with its own effects.
  @Test
  void oneFunctionSubmitsToAnother() throws Exception {
    List<Integer> mails = new ArrayList<>();
    Resumable<Integer, Void> mail =
        store.resumable(
            "mail",
            Integer.class,
            x -> {
              mails.add(x);
            });
    List<CompletableFuture<Void>> sent = new ArrayList<>();
    Resumable<Integer, Integer> order =
        counting(
            Resumable.Options.defaults(),
            x -> {
              sent.add(mail.submit("mail for " + x, x));
              return x;
            });
    order.run("order 1", 1);
    order.run("order 1", 1);
    sent.getFirst().get(10, TimeUnit.SECONDS);
    assertThat(mails).containsExactly(1);
    assertThat(sent).hasSize(1);
  }

  @Test
  void submittedCallsOfAKeyDoNotOvertakeEachOther() throws Exception {
    List<Integer> made = new ArrayList<>();
    Resumable<Integer, Integer> count =
        counting(
            Resumable.Options.<Integer>defaults().orderedBy(_ -> "all"),
            x -> {
              synchronized (made) {
                made.add(x);
              }
              return x;
            });
    List<CompletableFuture<Integer>> futures = new ArrayList<>();
    List<Integer> expected = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      futures.add(count.submit(i));
      expected.add(i);
    }
    for (int i = 0; i < 500; i++) {
      assertThat(futures.get(i).get(30, TimeUnit.SECONDS)).isEqualTo(i);
    }
    assertThat(made).isEqualTo(expected);
  }

  /// Of a call that a section has submitted an action learns, and that may be late.
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void x4ACallThatWasSubmittedInASectionIsNotOvertaken(boolean inTransaction) throws Exception {
    List<Integer> made = new ArrayList<>();
    Resumable<Integer, Integer> count =
        counting(
            Resumable.Options.<Integer>defaults().orderedBy(_ -> "all"),
            x -> {
              made.add(x);
              return 10 * x;
            });
    CountDownLatch later = new CountDownLatch(1);
    store.onDurable(
        () -> {
          try {
            later.await();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        });
    List<CompletableFuture<Integer>> futures = new ArrayList<>();
    Runnable submission = () -> futures.add(count.submit(1));
    try {
      if (inTransaction) {
        store.transaction(submission);
      } else {
        store.atomically(submission);
      }
      assertThat(count.run(2)).isEqualTo(20);
    } finally {
      later.countDown();
    }
    assertThat(futures.getFirst().get(30, TimeUnit.SECONDS)).isEqualTo(10);
    assertThat(made).containsExactly(1, 2);
    assertThat(store.unfinished()).isEmpty();
  }

  @Test
  void whatIsWrongIsRefused() {
    Resumable<Integer, Integer> count =
        counting(Resumable.Options.<Integer>defaults().orderedBy(x -> 10 / x), x -> x);
    assertThatThrownBy(() -> count.run(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> count.run(null, 1)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> count.run("", 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> count.run("#1", 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> count.run("a", 0)).isInstanceOf(ArithmeticException.class);
    assertThat(store.unfinished()).as("no key, no call").isEmpty();
    assertThatThrownBy(() -> counting(Resumable.Options.defaults(), x -> x))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("registered already");
    assertThatThrownBy(() -> store.atomically(() -> transfers()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("inside of a section");
    assertThatThrownBy(() -> store.atomically(count::resume))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> store.hashMap("count", Long.class, Long.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is a resumable");
    store.queue("queue", String.class);
    assertThatThrownBy(() -> store.resumable("queue", String.class, _ -> {}))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> store.resumable("thread", Thread.class, _ -> {}))
        .isInstanceOf(IllegalArgumentException.class);
    for (String part : List.of("count", "count/results")) {
      assertThatThrownBy(() -> store.rename(part, "other"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("belongs to a resumable");
    }
    assertThatThrownBy(() -> Resumable.Options.defaults().keep(0, Duration.ofDays(1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Resumable.Options.defaults().keep(1, Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aResumableIsDeletedWithAllThatItHas() {
    Resumable<Integer, Integer> count = counting(Resumable.Options.defaults(), x -> x);
    count.run("a", 1);
    assertThat(store.delete("count")).isTrue();
    assertThat(store.delete("count")).isFalse();
    assertThatThrownBy(() -> count.run("a", 1)).isInstanceOf(RootDeletedException.class);
    assertThat(counting(Resumable.Options.defaults(), x -> 2 * x).run("a", 1)).isEqualTo(2);
  }

  @Test
  void whatProgramsHaveUnderSuchANameIsNotDeleted() {
    store.hashMap("count/scheduled", Long.class, Long.class).put(1L, 1L);
    counting(Resumable.Options.defaults(), x -> x).run("a", 1);
    store.delete("count");
    assertThat(store.hashMap("count/scheduled", Long.class, Long.class)).hasSize(1);
  }

  @Test
  void aRegistrationThatIsRefusedLeavesNothing() {
    store.queue("count", String.class);
    assertThatThrownBy(() -> counting(Resumable.Options.defaults(), x -> x))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"count\" is a queue");
    for (String part : List.of("count/results", "count/finished")) {
      assertThat(store.queue(part, String.class)).isEmpty();
    }
  }

  @Test
  void aFunctionThatAsksForTheResultOfItsOwnCallFails() {
    List<Resumable<Integer, Integer>> made = new ArrayList<>();
    made.add(counting(Resumable.Options.defaults(), x -> made.getFirst().run("a", x + 1)));
    assertThatThrownBy(() -> made.getFirst().run("a", 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("resumable count: the function asks for the result of its own call");
    assertThat(store.unfinished()).isEmpty();
    assertThat(made.getFirst().outcome("a")).isPresent();
  }

  private static final class Silent extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String toString() {
      return null;
    }
  }

  private static final class Loud extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String toString() {
      throw new IllegalStateException("no text");
    }
  }

  /// A failure without a text is no success.
  @Test
  void anExceptionThatSaysNothingIsAFailure() {
    List<RuntimeException> failures = List.of(new Silent(), new Loud());
    Resumable<Integer, Integer> failing =
        counting(
            Resumable.Options.defaults(),
            x -> {
              throw failures.get(x);
            });
    for (int i = 0; i < failures.size(); i++) {
      RuntimeException failure = failures.get(i);
      String id = "call " + i;
      int argument = i;
      assertThat(catchThrowable(() -> failing.run(id, argument)) == failure).isTrue();
      assertThatThrownBy(() -> failing.run(id, argument)).isInstanceOf(CallFailedException.class);
      assertThat(failing.outcome(id).orElseThrow().failure())
          .contains(failure.getClass().getName());
    }
    assertThat(store.unfinished()).isEmpty();
  }

  @SuppressWarnings("unchecked") // as a function in Kotlin does
  private static <E extends Exception> void raise(Exception thrown) throws E {
    throw (E) thrown;
  }

  @Test
  void aCheckedExceptionIsAFailureLikeAnyOther() {
    Exception thrown = new java.io.IOException("no line");
    Function<Integer, Integer> function =
        x -> {
          ResumableTest.<RuntimeException>raise(thrown);
          return x;
        };
    leaveUnfinished(1);
    kill();
    Resumable<Integer, Integer> failing = counting(Resumable.Options.defaults(), function);
    assertThat(store.unfinished()).isEmpty();
    assertThatThrownBy(() -> failing.run("a", 1)).isSameAs(thrown);
    assertThatThrownBy(() -> failing.submit("b", 1).get()).hasCause(thrown);
    assertThatThrownBy(() -> failing.run("a", 1))
        .isInstanceOf(CallFailedException.class)
        .hasMessageContaining("no line");
    assertThat(store.unfinished()).isEmpty();
  }

  private record BadKey(int number) {
    @Override
    public int hashCode() {
      throw new IllegalStateException("no key");
    }
  }

  /// Else it would be refused at each registration.
  @Test
  void aCallWithoutAKeyIsNeitherAcceptedNorScheduled() {
    Resumable<Integer, Integer> count =
        counting(Resumable.Options.<Integer>defaults().orderedBy(BadKey::new), x -> x);
    assertThatThrownBy(() -> count.run("a", 1)).hasMessage("no key");
    assertThatThrownBy(() -> count.submit(1)).hasMessage("no key");
    assertThatThrownBy(() -> count.at(Instant.EPOCH, 1)).hasMessage("no key");
    assertThat(store.unfinished()).isEmpty();
    assertThat(count.scheduled()).isEmpty();
  }

  record Amount(long cents) {
    private static long most = Long.MAX_VALUE;

    Amount {
      if (cents > most) {
        throw new IllegalArgumentException("more than %d".formatted(most));
      }
    }
  }

  @Test
  void anArgumentThatItsClassRefusesByNowIsTold() {
    Resumable<Amount, Void> pay =
        store.resumable(
            "pay",
            Amount.class,
            Resumable.Options.<Amount>defaults().retryFailed(),
            _ -> {
              throw new Refused();
            });
    assertThatThrownBy(() -> pay.run(new Amount(5))).isInstanceOf(Refused.class);
    kill();
    Amount.most = 4;
    try {
      assertThatThrownBy(() -> store.resumable("pay", Amount.class, amount -> {}))
          .isInstanceOf(CodecException.class)
          .hasMessageContaining("resumable pay: call #")
          .hasMessageContaining("more than 4");
    } finally {
      Amount.most = Long.MAX_VALUE;
    }
    assertThat(store.unfinished()).extracting(Unfinished::name).containsExactly("pay");
  }

  /// What is said to be for ever is no overflow.
  @Test
  void timesMayBeForEver() throws InterruptedException {
    Duration ever = ChronoUnit.FOREVER.getDuration();
    Resumable.Options<Integer> kept = Resumable.Options.<Integer>defaults().keep(1, ever);
    Resumable<Integer, Integer> count = counting(kept, x -> x);
    assertThat(count.run("a", 1) + count.run("b", 2)).isEqualTo(3);
    assertThat(count.outcome("a")).isEmpty();
    assertThat(count.outcome("b")).isPresent();
    store.delayQueue("due", String.class).add("x", Instant.EPOCH);
    assertThat(store.delayQueue("due", String.class).awaitDue(ever)).isTrue();
    Transaction.Options limit = Transaction.Options.defaults().timeLimit(ever);
    assertThat(store.<Long>transaction(limit, () -> accounts().put(1L, 1L))).isNull();
    Job.Options seldom = Job.Options.defaults().atMost(ever);
    assertThat(store.job("job", Long.class, 0L, seldom, (_, step) -> step.at(5L))).isEqualTo(5);
    for (Duration period : List.of(ever, Duration.ofMillis(Long.MAX_VALUE), ever.negated())) {
      assertThatThrownBy(() -> count.every("a", period, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("repeated too often, or too seldom: period=" + period);
    }
    assertThatThrownBy(
            () -> count.every("a", Instant.ofEpochMilli(Long.MIN_VALUE), Duration.ofDays(1), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("repeated since too long");
  }

  @Test
  void whereTheDeviceIsFullACallIsNotAcceptedOrStaysUnfinished() {
    byte[] large = new byte[100_000];
    Resumable<Integer, Integer> filling =
        counting(
            Resumable.Options.defaults(),
            x -> {
              store.hashMap("large", Integer.class, byte[].class).put(x, large);
              return x;
            });
    store.hashMap("large", Integer.class, byte[].class);
    filling.run("a", 0);
    memory.limitTo(memory.length());
    Throwable full = null;
    int calls = 1;
    while (full == null) {
      int call = calls++;
      full = catchThrowable(() -> filling.run("call " + call, call));
    }
    assertThat(full).isInstanceOf(RegionFullException.class);
    String last = "call " + (calls - 1);
    assertThat(store.unfinished()).extracting(Unfinished::id).isSubsetOf(last);
    assertThat(filling.outcome(last)).isEmpty();
    memory.limitTo(Long.MAX_VALUE);
    assertThat(filling.run(last, calls - 1)).isEqualTo(calls - 1);
    assertThat(store.hashMap("large", Integer.class, byte[].class)).hasSize(calls);
    assertThat(store.unfinished()).isEmpty();
  }

  @Test
  void aClosedStoreRefuses() {
    Resumable<Integer, Integer> count = counting(Resumable.Options.defaults(), x -> x);
    store.close();
    assertThatThrownBy(() -> count.run(1)).isInstanceOf(StoreClosedException.class);
    assertThatThrownBy(() -> count.submit(1)).isInstanceOf(StoreClosedException.class);
    assertThatThrownBy(() -> counting(Resumable.Options.defaults(), x -> x))
        .isInstanceOf(IllegalStateException.class);
  }

  /// It says nothing about the store that the call is in.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aFunctionFailsThatClosesAnotherStoreAndUsesIt(boolean isUsedBefore) {
    Holdfast other = Holdfast.over(new RecordingMemory());
    Queue<Integer> elsewhere = other.queue("q", Integer.class);
    Map<Long, Long> accounts = accounts();
    Resumable<Integer, Integer> failing =
        counting(
            Resumable.Options.defaults(),
            x -> {
              accounts.put(1L, 1L);
              if (isUsedBefore) {
                elsewhere.add(x); // which is stored when the function has returned
              }
              other.close();
              if (!isUsedBefore) {
                elsewhere.add(x);
              }
              return x;
            });
    assertThatThrownBy(() -> failing.run("a", 1)).isInstanceOf(StoreClosedException.class);
    assertThat(accounts).isEmpty();
    assertThat(store.unfinished()).isEmpty();
    assertThatThrownBy(() -> failing.run("a", 1))
        .isInstanceOf(CallFailedException.class)
        .hasMessageContaining("the store is closed");
    assertThatThrownBy(() -> failing.submit("b", 2).join())
        .hasCauseInstanceOf(StoreClosedException.class);
    assertThat(store.unfinished()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void onAFile(Durability durability) throws Exception {
    Path file = directory.resolve("shop.hf");
    Holdfast.Options options = Holdfast.Options.defaults().durability(durability);
    for (int opening = 0; opening < 3; opening++) {
      try (Holdfast shop = Holdfast.open(file, options)) {
        Map<Integer, Integer> sold = shop.treeMap("sold", Integer.class, Integer.class);
        Resumable<Integer, Integer> sell =
            shop.resumable(
                "sell", Integer.class, Integer.class, x -> sold.merge(x, 1, Integer::sum));
        List<CompletableFuture<Integer>> futures = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
          futures.add(sell.submit("order " + i, i));
          assertThat(sell.run("order " + i, i)).isEqualTo(1);
        }
        for (CompletableFuture<Integer> future : futures) {
          assertThat(future.get(30, TimeUnit.SECONDS)).isEqualTo(1);
        }
        assertThat(sold.values()).hasSize(20).containsOnly(1);
        assertThat(shop.unfinished()).isEmpty();
      }
    }
  }
}
