package io.holdfast;

import static io.holdfast.LockedWords.assertInSection;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.holdfast.LockedWords.Locks;
import io.holdfast.core.fixture.Words;
import java.util.Date;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// What waiting on a condition does to sections, by real threads: alone, inside of another lock,
/// and with a lock that is held several times.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ParameterizedClass(name = "{0}, held {2} times")
@MethodSource("locks")
class DurableConditionTest {
  private final LockedWords words = new LockedWords();

  @Parameter(0)
  String name;

  @Parameter(1)
  Function<Locks, Lock> choice;

  @Parameter(2)
  int holds;

  private Lock lock;
  private Condition condition;

  static Stream<Arguments> locks() {
    return Stream.of(1, 3)
        .flatMap(
            holds ->
                Stream.of(
                    Arguments.of("DurableLock", (Function<Locks, Lock>) Locks::a, holds),
                    Arguments.of(
                        "write lock",
                        (Function<Locks, Lock>) locks -> locks.both().writeLock(),
                        holds)));
  }

  /// The forms of waiting.
  enum Form {
    AWAIT(false),
    UNINTERRUPTIBLY(false),
    NANOS(true),
    TIME(true),
    UNTIL(true);

    final boolean timed;

    Form(boolean timed) {
      this.timed = timed;
    }

    /// @return whether it says that it ended by a signal
    boolean wait(Condition condition, long millis) throws InterruptedException {
      boolean signalled = true;
      switch (this) {
        case AWAIT -> condition.await();
        case UNINTERRUPTIBLY -> condition.awaitUninterruptibly();
        case NANOS -> signalled = condition.awaitNanos(millis * 1_000_000) > 0;
        case TIME -> signalled = condition.await(millis, TimeUnit.MILLISECONDS);
        case UNTIL ->
            signalled = condition.awaitUntil(new Date(System.currentTimeMillis() + millis));
      }
      return signalled;
    }

    boolean waitLong(Condition condition) throws InterruptedException {
      return wait(condition, TimeUnit.HOURS.toMillis(1));
    }
  }

  @BeforeEach
  void newCondition() {
    lock = choice.apply(words.locks);
    condition = lock.newCondition();
  }

  @AfterEach
  void close() {
    words.close();
  }

  private void lockAll() {
    for (int i = 0; i < holds; i++) {
      lock.lock();
    }
  }

  /// Gives up all holds; the section, if it is alone, ends with the last.
  private void unlockAll(boolean alone) {
    for (int i = 0; i < holds; i++) {
      assertInSection(true);
      lock.unlock();
    }
    assertInSection(!alone);
  }

  private interface Body {
    void run() throws InterruptedException;
  }

  private static FutureTask<Void> task(Body body) {
    return new FutureTask<>(
        () -> {
          body.run();
          return null;
        });
  }

  /// Alone, a wait ends the section, and another one begins after it.
  @ParameterizedTest
  @EnumSource(Form.class)
  void p1AloneUntilASignal(Form form) throws Exception {
    CountDownLatch locked = new CountDownLatch(1);
    CountDownLatch stored = new CountDownLatch(1);
    CountDownLatch looked = new CountDownLatch(1);
    FutureTask<Void> waiting =
        task(
            () -> {
              lockAll();
              words.write(0);
              words.assertKept();
              locked.countDown();
              assertThat(form.waitLong(condition)).isTrue();
              words.write(2);
              stored.countDown();
              looked.await();
              unlockAll(true);
            });
    Thread.ofPlatform().start(waiting);
    locked.await();
    lock.lock(); // when the other thread waits
    words.assertKept(0);
    words.write(1);
    condition.signal();
    lock.unlock();
    stored.await();
    words.assertKept(0, 1);
    looked.countDown();
    waiting.get();
    words.assertKept(0, 1, 2);
  }

  /// However long it takes until the lock is free again.
  @ParameterizedTest
  @EnumSource(Form.class)
  void p1AloneUntilAnInterrupt(Form form) throws Exception {
    CountDownLatch locked = new CountDownLatch(1);
    FutureTask<Void> waiting =
        task(
            () -> {
              lockAll();
              words.write(0);
              locked.countDown();
              if (form == Form.UNINTERRUPTIBLY) {
                condition.awaitUninterruptibly();
                assertThat(Thread.interrupted()).isTrue();
              } else {
                assertThatExceptionOfType(InterruptedException.class)
                    .isThrownBy(() -> form.waitLong(condition));
              }
              words.write(2);
              unlockAll(true);
            });
    Thread thread = Thread.ofPlatform().start(waiting);
    locked.await();
    lock.lock();
    words.write(1);
    thread.interrupt();
    words.assertKept(0);
    if (form == Form.UNINTERRUPTIBLY) {
      condition.signalAll();
    }
    lock.unlock();
    waiting.get();
    words.assertKept(0, 1, 2);
  }

  @ParameterizedTest
  @EnumSource(
      value = Form.class,
      mode = EnumSource.Mode.MATCH_ANY,
      names = {"NANOS", "TIME", "UNTIL"})
  void p1AloneUntilTheTimeIsOver(Form form) throws InterruptedException {
    for (long millis : new long[] {0, 1, -1}) {
      lockAll();
      words.write(0);
      assertThat(form.wait(condition, millis)).isFalse();
      words.assertKept(0);
      words.write(1);
      words.assertKept(0);
      unlockAll(true);
      words.assertKept(0, 1);
      lock.lock();
      Words.write(words.region, 0, 0);
      Words.write(words.region, 1, 0);
      lock.unlock();
    }
  }

  /// Inside of another lock, a wait is an uncommitted release, and an acquire when it ends.
  @ParameterizedTest
  @EnumSource(Form.class)
  void p2Nested(Form form) throws Exception {
    CountDownLatch locked = new CountDownLatch(1);
    FutureTask<Void> waiting =
        task(
            () -> {
              words.locks.b().lock();
              lockAll();
              words.write(0);
              locked.countDown();
              assertThat(form.waitLong(condition)).isTrue();
              words.write(2);
              unlockAll(false);
              words.locks.b().unlock();
            });
    Thread.ofPlatform().start(waiting);
    locked.await();
    words.locks.c().lock();
    lock.lock();
    words.assertKept();
    words.write(1);
    condition.signalAll();
    lock.unlock();
    waiting.get();
    words.assertKept(); // ended, but after a section that has not
    words.locks.c().unlock();
    words.assertKept(0, 1, 2);
  }

  /// Who had the lock while another waited in an open section falls with that.
  @Test
  void p2NestedWhoHadTheLockMeanwhile() throws Exception {
    CountDownLatch locked = new CountDownLatch(1);
    CountDownLatch looked = new CountDownLatch(1);
    FutureTask<Void> waiting =
        task(
            () -> {
              words.locks.b().lock();
              lockAll();
              words.write(0);
              locked.countDown();
              condition.await();
              unlockAll(false);
              looked.await();
              words.locks.b().unlock();
            });
    Thread.ofPlatform().start(waiting);
    locked.await();
    lock.lock();
    words.write(1);
    condition.signal();
    lock.unlock();
    words.assertKept();
    looked.countDown();
    waiting.get();
    words.assertKept(0, 1);
  }

  @ParameterizedTest
  @EnumSource(Form.class)
  void lock2AWaitWithoutTheLockIsRefused(Form form) {
    for (boolean nested : new boolean[] {false, true}) {
      if (nested) {
        words.locks.b().lock();
        words.write(0);
      }
      assertThatExceptionOfType(IllegalMonitorStateException.class)
          .isThrownBy(() -> form.waitLong(condition));
      assertInSection(nested);
      words.assertKept();
    }
    words.locks.b().unlock();
    words.assertKept(0);
    assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(condition::signal);
    assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(condition::signalAll);
  }

  /// A wait that gives nothing up does not end the section.
  @ParameterizedTest
  @EnumSource(value = Form.class, mode = EnumSource.Mode.EXCLUDE, names = "UNINTERRUPTIBLY")
  void lock2AWaitThatIsRefusedEndsNothing(Form form) {
    lockAll();
    words.write(0);
    Thread.currentThread().interrupt();
    assertThatExceptionOfType(InterruptedException.class)
        .isThrownBy(() -> form.waitLong(condition));
    assertThatNullPointerException().isThrownBy(() -> condition.await(1, null));
    assertThatNullPointerException().isThrownBy(() -> condition.awaitUntil(null));
    words.assertKept();
    unlockAll(true);
    words.assertKept(0);
  }

  /// A queue of one place between threads, in sections that end in waits.
  @Test
  void p2ThroughManyWaits() throws Exception {
    int rounds = 300;
    Condition taken = lock.newCondition();
    long[] place = {0};
    FutureTask<Void> taking =
        task(
            () -> {
              for (int i = 1; i <= rounds; i++) {
                lockAll();
                while (place[0] == 0) {
                  condition.await();
                }
                assertThat(place[0]).isEqualTo(i);
                place[0] = 0;
                Words.write(words.region, 1, i);
                taken.signal();
                unlockAll(true);
              }
            });
    Thread.ofVirtual().start(taking);
    for (int i = 1; i <= rounds; i++) {
      lockAll();
      Words.write(words.region, 0, i);
      place[0] = i;
      condition.signal();
      while (place[0] != 0) {
        taken.await();
      }
      Words.write(words.region, 2, i);
      unlockAll(true);
    }
    taking.get();
    assertThat(Words.read(words.region, 0, 3)).isEqualTo(List.of(300L, 300L, 300L));
    try (var recovered = Words.open(words.memory.copy())) {
      assertThat(Words.read(recovered, 0, 3)).isEqualTo(List.of(300L, 300L, 300L));
    }
  }
}
