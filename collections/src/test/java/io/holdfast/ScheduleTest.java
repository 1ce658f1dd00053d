package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.collections.Due;
import io.holdfast.core.NotUndoneException;
import io.holdfast.core.fixture.QuietRecoveries;
import io.holdfast.core.fixture.Told;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Calls that are accepted at a time, and again and again.
@Timeout(60)
@ExtendWith(QuietRecoveries.class)
class ScheduleTest {
  private static final Duration DAY = Duration.ofDays(1);

  @TempDir private Path directory;

  private final BlockingQueue<String> made = new LinkedBlockingQueue<>();
  private Holdfast store;
  private Resumable<String, Void> make;

  @BeforeEach
  void open() {
    store = Holdfast.open(directory.resolve("shop.hf"));
    register();
  }

  private void register() {
    Map<String, Integer> counts = counts();
    make =
        store.resumable(
            "make",
            String.class,
            text -> {
              counts.merge(text, 1, Integer::sum);
              made.add(text);
            });
  }

  private Map<String, Integer> counts() {
    return store.hashMap("counts", String.class, Integer.class);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void reopen() {
    store.close();
    open();
  }

  private String next() throws InterruptedException {
    String next = made.poll(30, TimeUnit.SECONDS);
    assertThat(next).isNotNull();
    return next;
  }

  private static Instant in(int millis) {
    return Instant.now().plusMillis(millis);
  }

  @Test
  void aCallIsMadeAtItsTime() throws InterruptedException {
    Instant when = in(200);
    make.at(Instant.now().plus(DAY), "tomorrow");
    make.at(when, "soon");
    assertThat(next()).isEqualTo("soon");
    assertThat(Instant.now()).isAfterOrEqualTo(when.minusMillis(1));
    make.at(Instant.EPOCH, "late");
    assertThat(next()).isEqualTo("late");
    assertThat(made).isEmpty();
  }

  @Test
  void whatWasDueMeanwhileIsMadeAtTheNextRegistration() throws InterruptedException {
    make.at(in(300), "a");
    make.at("order 1", in(200), "b");
    make.at(Instant.now().plus(DAY), "tomorrow");
    store.close();
    Thread.sleep(400);
    for (int opening = 0; opening < 2; opening++) {
      open();
      assertThat(counts()).containsExactlyInAnyOrderEntriesOf(Map.of("a", 1, "b", 1));
      assertThat(store.unfinished()).isEmpty();
      assertThat(make.outcome("order 1")).isPresent();
      assertThat(make.scheduled()).extracting(Due::element).containsExactly("tomorrow");
      store.close();
    }
  }

  @Test
  void anIdIsScheduledAndMadeOnce() throws InterruptedException {
    make.at("order 1", in(100), "a");
    make.at("order 1", in(0), "b");
    assertThat(next()).isEqualTo("a");
    make.run("order 1", "c");
    make.at("order 1", in(0), "d");
    make.at("order 2", Instant.now().plus(DAY), "e");
    assertThat(make.cancel("order 2")).isTrue();
    assertThat(make.cancel("order 2")).isFalse();
    assertThat(make.cancel("order 1")).isFalse();
    make.at("order 2", in(0), "f");
    assertThat(next()).isEqualTo("f");
    assertThat(made).isEmpty();
  }

  /// The first call creates the schedule.
  @Test
  void theFirstCallMayBeRolledBack() throws InterruptedException {
    assertThatThrownBy(
            () ->
                store.allOrNothing(
                    () -> {
                      make.at("order 1", in(0), "undone");
                      throw new IllegalStateException("undo");
                    }))
        .hasMessage("undo");
    assertThat(make.scheduled()).isEmpty();
    make.at("order 1", in(0), "a");
    assertThat(next()).isEqualTo("a");
    assertThat(made).isEmpty();
  }

  private Throwable deletedAndUndone() {
    return catchThrowable(
        () ->
            store.allOrNothing(
                () -> {
                  store.delete("make");
                  LockSupport.parkNanos(300_000_000); // the schedule's thread learns of it
                  throw new IllegalStateException("undo");
                }));
  }

  @Test
  void aDeletionMayBeRolledBack() throws InterruptedException {
    make.at(Instant.now().plus(DAY), "tomorrow");
    Throwable thrown = deletedAndUndone();
    for (int i = 0; i < 20 && thrown instanceof NotUndoneException; i++) {
      // The schedule's thread has come to depend on the section, as any other may: the deletion
      // stays.
      register();
      make.at(Instant.now().plus(DAY), "tomorrow");
      thrown = deletedAndUndone();
    }
    assertThat(thrown).hasMessage("undo");
    make.at(in(0), "a");
    assertThat(next()).isEqualTo("a");
    assertThat(make.scheduled()).extracting(Due::element).containsExactly("tomorrow");
    assertThatThrownBy(this::register).hasMessageContaining("is registered already");
  }

  @Test
  void whatIsScheduledForAnotherVersionIsUpgraded() throws InterruptedException {
    Instant afterClosing = in(3_000);
    make.at(afterClosing, "a");
    make.at("order 1", afterClosing, "b");
    make.at("order 2", Instant.now().plus(DAY), "c");
    make.every("daily", DAY, "d");
    make.at("order 3", Instant.now().plus(DAY), "e");
    make.cancel("order 3");
    store.close();
    Thread.sleep(Duration.between(Instant.now(), afterClosing));
    store = Holdfast.open(directory.resolve("shop.hf"));
    Resumable.Options<String> defaults = Resumable.Options.defaults();
    assertThatThrownBy(() -> store.resumable("make", String.class, defaults.version(2), made::add))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("found=0, registered=2");
    assertThat(made).isEmpty();
    for (int version = 2; version < 4; version++) {
      make =
          store.resumable(
              "make",
              String.class,
              defaults.version(version, (old, text) -> text + old),
              made::add);
      String earlier = version == 2 ? "0" : "02";
      assertThat(make.scheduled())
          .extracting(Due::element)
          .containsExactlyInAnyOrder("c" + earlier, "d" + earlier);
      make.every("daily", DAY, "d" + earlier);
      assertThat(make.scheduled()).hasSize(2);
      store.close();
      store = Holdfast.open(directory.resolve("shop.hf"));
    }
    assertThat(made).containsExactlyInAnyOrder("a0", "b0");
  }

  record Parcel(String to, byte[] content) {}

  /// What was read is equal to nothing then, and is found all the same.
  @Test
  void argumentsMayHaveArrays() {
    Parcel parcel = new Parcel("bert", new byte[] {1, 2});
    List<Due<Parcel>> first = null;
    for (int start = 0; start < 3; start++) {
      Resumable<Parcel, Void> send =
          store.resumable("send", Parcel.class, sent -> made.add(sent.to()));
      send.every("daily", DAY, new Parcel("bert", new byte[] {1, 2}));
      List<Due<Parcel>> scheduled = send.scheduled();
      assertThat(scheduled).hasSize(1);
      first = first == null ? scheduled : first;
      assertThat(scheduled.getFirst().at()).isEqualTo(first.getFirst().at());

      send.at("once", Instant.now().plus(DAY), parcel);
      assertThat(send.cancel("once")).isTrue();
      assertThat(send.scheduled()).hasSize(1);
      if (start == 2) {
        send.every("daily", DAY, new Parcel("bert", new byte[] {1, 3}));
        assertThat(send.scheduled())
            .singleElement()
            .extracting(d -> d.element().content()[1])
            .isEqualTo((byte) 3);
        assertThat(send.cancel("daily")).isTrue();
        assertThat(send.scheduled()).isEmpty();
      }
      reopen();
    }
    assertThat(made).isEmpty();
  }

  @Test
  void schedule2WhatIsTakenBackWhileItIsAccepted() throws InterruptedException {
    CountDownLatch isClaimed = new CountDownLatch(1);
    CountDownLatch isTakenBack = new CountDownLatch(1);
    Resumable<String, Void> keyed =
        store.resumable(
            "keyed",
            String.class,
            Resumable.Options.<String>defaults()
                .orderedBy(
                    text -> {
                      if (Thread.currentThread().isVirtual() && text.startsWith("claimed")) {
                        isClaimed.countDown();
                        waitFor(isTakenBack);
                      }
                      return null;
                    }),
            made::add);
    keyed.every("tick", Instant.now(), DAY, "claimed");
    waitFor(isClaimed);
    assertThat(keyed.cancel("tick")).isTrue();
    assertThat(keyed.scheduled()).isEmpty();
    keyed.every("tick", Instant.now().plus(DAY), DAY, "claimed 2");
    isTakenBack.countDown();

    keyed.at(Instant.now(), "after");
    assertThat(next()).isEqualTo("after");
    assertThat(keyed.scheduled()).extracting(Due::element).containsExactly("claimed 2");
    assertThat(keyed.cancel("tick")).isTrue();
    assertThat(keyed.scheduled()).isEmpty();
    assertThat(made).isEmpty();
  }

  private static void waitFor(CountDownLatch event) {
    try {
      assertThat(event.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aCallIsRepeated() throws InterruptedException {
    make.every("tick", Duration.ofMillis(40), "t");
    for (int i = 0; i < 3; i++) {
      assertThat(next()).isEqualTo("t");
    }
    make.every("tick", Duration.ofMillis(30), "u");
    for (int i = 0; i < 2; i++) {
      String seen = next();
      while (seen.equals("t")) { // accepted before, and made by a thread of its own
        seen = next();
      }
      assertThat(seen).isEqualTo("u");
    }
    assertThat(make.cancel("tick")).isTrue();
    store.close(); // waits for nothing that is accepted
    made.clear();
    open();
    made.clear();
    Thread.sleep(100);
    assertThat(made).isEmpty();
  }

  /// Once for all that were missed, and then at its times.
  @Test
  void missedTimesAreMadeUpForByOneCall() {
    make.every("daily", Instant.now().minus(DAY.multipliedBy(10)), DAY, "t");
    reopen();
    reopen();
    make.every("daily", DAY, "t"); // as it was
    assertThat(counts()).as("closing may have cut a first run off").containsEntry("t", 1);
  }

  /// As if it had come due while the clock ran ahead by a hundred years.
  @Test
  void whatAClockThatRanAheadHasPutOffBeginsAnew() {
    make.every("daily", Instant.now().plus(DAY.multipliedBy(36_525)), DAY, "t");
    make.every("daily", DAY, "t");
    assertThat(make.scheduled())
        .singleElement()
        .satisfies(due -> assertThat(due.at()).isBefore(Instant.now().plus(DAY.plusDays(1))));
  }

  /// Its time comes, whatever else is said of it meanwhile.
  @Test
  void aRepetitionThatHasNotBegunGoesOn() {
    Instant first = Instant.now().plus(DAY.multipliedBy(30)).truncatedTo(ChronoUnit.MILLIS);
    make.every("monthly", first, DAY, "t");
    make.every("monthly", first, DAY, "t");
    assertThat(make.scheduled()).singleElement().extracting(Due::at).isEqualTo(first);
  }

  @Test
  void inATransactionItIsAPartOfIt() throws InterruptedException {
    assertThatThrownBy(
            () ->
                store.transaction(
                    () -> {
                      make.at(in(0), "undone");
                      throw new IllegalStateException("stopped");
                    }))
        .hasMessage("stopped");
    store.transaction(() -> make.at(in(0), "done"));
    assertThat(next()).isEqualTo("done");
    assertThat(made).isEmpty();
  }

  @Test
  void whatIsNotAllowedIsSaid() {
    assertThatThrownBy(() -> make.at(in(0), null)).hasMessage("argument");
    assertThatThrownBy(() -> make.at("", in(0), "a")).hasMessageContaining("not an id");
    assertThatThrownBy(() -> make.every("a", Duration.ZERO, "a"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(
            "resumable make: repeated too often, or too seldom: period=PT0S, min=PT0.001S");
    assertThatThrownBy(() -> make.at(Instant.MAX, "a"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  record Fragile(String text) {
    static final AtomicInteger FAILURES = new AtomicInteger();

    Fragile {
      switch (FAILURES.getAndUpdate(left -> Math.max(0, left - 1))) {
        case 3 -> throw new AssertionError("injected");
        case 2 -> throw new BootstrapMethodError("injected");
        case 1 -> throw new OutOfMemoryError("injected");
        default -> {
          // it is made
        }
      }
    }
  }

  /// The thread that waits for what is due is the only one.
  @Test
  void callsGoOnAfterAnError() throws InterruptedException {
    Resumable<Fragile, Void> fragile =
        store.resumable("fragile", Fragile.class, call -> made.add(call.text()));
    Fragile call = new Fragile("soon");
    fragile.every("tick", Duration.ofMillis(100), call);
    assertThat(next()).isEqualTo("soon");
    Fragile.FAILURES.set(3);
    while (Fragile.FAILURES.get() > 0) {
      assertThat(made.size()).isLessThan(1_000);
    }
    made.clear();
    assertThat(next()).isEqualTo("soon");
    assertThat(next()).isEqualTo("soon");
    assertThat(next()).isEqualTo("soon");
  }

  @Test
  void callsGoOnAfterAnInterruptByTheKeysFunction() throws InterruptedException {
    Resumable<String, Void> keyed =
        store.resumable(
            "keyed",
            String.class,
            Resumable.Options.<String>defaults()
                .orderedBy(
                    text -> {
                      if (Thread.currentThread().isVirtual()) { // the schedule's, or a call's
                        Thread.currentThread().interrupt();
                      }
                      return text;
                    }),
            made::add);
    keyed.at(Instant.now(), "first");
    assertThat(next()).isEqualTo("first");
    keyed.at(Instant.now(), "second");
    assertThat(next()).isEqualTo("second");
  }

  /// Nothing else would say that what becomes due is not made.
  @Test
  void aKeyThatTheOtherStoreCannotGiveIsTold() throws InterruptedException {
    Holdfast other = Holdfast.open(directory.resolve("other.hf"));
    Map<String, String> keys = other.hashMap("keys", String.class, String.class);
    other.close();
    AtomicInteger asked = new AtomicInteger();
    Resumable<String, Void> keyed =
        store.resumable(
            "keyed",
            String.class,
            Resumable.Options.<String>defaults()
                .orderedBy(text -> asked.getAndIncrement() == 0 ? text : keys.get(text)),
            made::add);
    try (Told log = new Told()) {
      keyed.at(Instant.EPOCH, "soon"); // asks once, and the thread that accepts it asks again
      String message;
      do {
        message = log.messages().poll(30, TimeUnit.SECONDS);
        assertThat(message).isNotNull();
      } while (!message.contains("keyed accepts no more calls that become due"));
    }
    assertThat(made).isEmpty();
    assertThat(keyed.scheduled()).extracting(Due::element).containsExactly("soon");
  }

  @Test
  void deletionTakesTheSchedule() {
    make.at(Instant.now().plus(DAY), "tomorrow");
    assertThat(store.roots()).extracting(NamedRoot::name).containsExactly("counts");
    assertThat(store.delete("make")).isTrue();
    register();
    make.at(Instant.EPOCH, "late");
    reopen();
    assertThat(made).containsOnlyOnce("late");
  }
}
