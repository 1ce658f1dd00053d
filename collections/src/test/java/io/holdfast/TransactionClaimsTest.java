package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Transactions that come to what open sections hold back (T8), and what they lock for it.
@Timeout(60)
class TransactionClaimsTest {
  /// So many runs are in vain before one locks.
  private static final int VAIN = 8;

  private static final Transaction.Options RELAXED = Transaction.Options.defaults().relaxed();

  @TempDir Path dir;
  private Holdfast store;

  enum Kind {
    HASHED {
      @Override
      Map<Long, Long> open(Holdfast store) {
        return store.hashMap("map", Long.class, Long.class);
      }
    },
    SORTED {
      @Override
      Map<Long, Long> open(Holdfast store) {
        return store.treeMap("map", Long.class, Long.class);
      }
    };

    abstract Map<Long, Long> open(Holdfast store);
  }

  enum Poller {
    TRANSACTION(store -> poll -> store.transaction(RELAXED, poll)),
    SECTION(store -> store::relaxed),
    TRANSACTION_IN_SECTION(store -> poll -> store.relaxed(() -> store.transaction(poll))),
    OPERATION(_ -> Supplier::get);

    private interface Block {
      Map.Entry<Long, Long> run(Supplier<Map.Entry<Long, Long>> poll);
    }

    private final Function<Holdfast, Block> block;

    Poller(Function<Holdfast, Block> block) {
      this.block = block;
    }
  }

  @BeforeEach
  void open() {
    store = Holdfast.open(dir.resolve("claims.hf"));
  }

  @AfterEach
  void close() {
    store.close();
  }

  private Map<Long, Long> five(Kind kind) {
    Map<Long, Long> map = kind.open(store);
    LongStream.range(0, 5).forEach(key -> map.put(key, key));
    return map;
  }

  /// A section in a thread of its own, which has done something and does not end before it is
  /// closed.
  private final class OpenSection implements AutoCloseable {
    private final CountDownLatch isDone = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);
    private final Thread thread;

    OpenSection(Runnable changes) {
      thread =
          Thread.ofPlatform()
              .daemon()
              .start(
                  () ->
                      store.relaxed(
                          () -> {
                            changes.run();
                            isDone.countDown();
                            await(end);
                          }));
      await(isDone);
    }

    @Override
    public void close() {
      end.countDown();
      join(thread);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void inAnotherThread(Runnable action) {
    join(Thread.ofPlatform().start(action));
  }

  /// Lets the first runs of a transaction be in vain.
  private final class Disturbance {
    private final Map<Long, Long> others = store.hashMap("others", Long.class, Long.class);
    private final AtomicInteger runs = new AtomicInteger();

    /// To be called by the body.
    void meet() {
      others.get(1L);
      if (runs.incrementAndGet() <= VAIN) {
        inAnotherThread(() -> others.merge(1L, 1L, Long::sum));
      }
    }
  }

  private static Map<Long, Long> byKey(Map<Long, Long> map) {
    Map<Long, Long> found = new TreeMap<>();
    for (long key = 0; key < 10; key++) {
      Long value = map.get(key);
      if (value != null) {
        found.put(key, value);
      }
    }
    return found;
  }

  @ParameterizedTest
  @EnumSource
  void t8AllOfAnOpenSectionIsSeenOrNothing(Kind kind) {
    Map<Long, Long> map = five(kind);
    List<Map<Long, Long>> seen = new ArrayList<>();
    OpenSection section =
        new OpenSection(
            () -> {
              map.put(0L, 100L);
              map.remove(1L);
              map.put(9L, 9L);
            });
    try (section) {
      store.transaction(
          RELAXED,
          () -> {
            Map<Long, Long> walked = new TreeMap<>(map);
            assertThat(byKey(map)).isEqualTo(walked);
            assertThat(map).hasSize(walked.size());
            seen.add(walked);
            map.put(0L, 7L);
          });
    }
    assertThat(seen.getFirst()).isEqualTo(Map.of(0L, 0L, 1L, 1L, 2L, 2L, 3L, 3L, 4L, 4L));
    assertThat(seen.getLast()).isEqualTo(Map.of(0L, 100L, 2L, 2L, 3L, 3L, 4L, 4L, 9L, 9L));
    assertThat(new TreeMap<>(map)).isEqualTo(Map.of(0L, 7L, 2L, 2L, 3L, 3L, 4L, 4L, 9L, 9L));
  }

  /// Though it had to lock.
  @ParameterizedTest
  @EnumSource
  void t8AReadingAloneKeepsNoSectionFromBeingUndone(Kind kind) {
    Map<Long, Long> map = five(kind);
    Disturbance disturbance = new Disturbance();
    List<Long> seen = new ArrayList<>();
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(
            () ->
                store.allOrNothing(
                    () -> {
                      map.put(1L, 100L);
                      inAnotherThread(
                          () ->
                              seen.add(
                                  store.transaction(
                                      RELAXED.readOnly(),
                                      () -> {
                                        disturbance.meet();
                                        return map.get(1L);
                                      })));
                      throw new ArithmeticException();
                    }));
    assertThat(seen).containsExactly(1L);
    assertThat(map).containsEntry(1L, 1L);
    assertThat(store.transactions().locking()).isPositive();
  }

  /// It has recorded nothing of what it has read: before the thread waits, a run does that locks
  /// nothing.
  @ParameterizedTest
  @EnumSource
  void aRunThatLocksAndAsksToWaitIsWoken(Kind kind) throws InterruptedException {
    Map<Long, Long> map = kind.open(store);
    Disturbance disturbance = new Disturbance();
    Thread waiting =
        Thread.ofPlatform()
            .daemon()
            .start(
                () ->
                    store.transaction(
                        () -> {
                          disturbance.meet();
                          return map.get(1L) == null ? Transaction.<Long>retry() : map.get(1L);
                        }));
    while (store.transactions().waited() == 0) {
      Thread.onSpinWait();
    }
    map.put(1L, 1L);
    assertThat(waiting.join(Duration.ofSeconds(20))).as("it was woken").isTrue();
    assertThat(store.transactions().locking()).isPositive();
  }

  /// It has changed one map, and read another one, which others have changed since.
  @ParameterizedTest
  @EnumSource
  void aSectionWhoseTransactionHadToLockIsUndone(Kind kind) {
    Map<Long, Long> map = five(kind);
    Disturbance disturbance = new Disturbance();
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(
            () ->
                store.allOrNothing(
                    () -> {
                      store.transaction(
                          () -> {
                            disturbance.meet();
                            map.put(6L, 6L);
                          });
                      inAnotherThread(() -> disturbance.others.merge(1L, 1L, Long::sum));
                      throw new ArithmeticException();
                    }));
    assertThat(map).doesNotContainKey(6L);
    assertThat(store.transactions().locking()).isPositive();
  }

  /// And made anew: the run that locks opens it by its name, as the runs before did.
  @ParameterizedTest
  @EnumSource
  void whatWasDeletedSinceAnEarlierRun(Kind kind) {
    Disturbance disturbance = new Disturbance(); // looked at first: it is why runs end
    five(kind);
    long found =
        store.transaction(
            () -> {
              long first = kind.open(store).get(0L);
              disturbance.meet();
              if (disturbance.runs.get() == VAIN) {
                inAnotherThread(
                    () -> {
                      store.delete("map");
                      kind.open(store).put(0L, 7L);
                    });
              }
              disturbance.others.put(2L, first);
              return first;
            });
    assertThat(found).isEqualTo(7);
    assertThat(store.transactions().locking()).isPositive();
  }

  /// A body may catch that an opening is refused: the run that locks goes on, as those before.
  @Test
  void anOpeningThatIsRefused() {
    Kind.HASHED.open(store);
    Disturbance disturbance = new Disturbance();
    store.transaction(
        () -> {
          disturbance.meet();
          assertThatIllegalArgumentException().isThrownBy(() -> Kind.SORTED.open(store));
          disturbance.others.put(2L, 2L);
        });
    assertThat(disturbance.runs).hasValue(VAIN + 1);
    assertThat(store.transactions().locking()).isEqualTo(1);
  }

  /// Its stripes are settled by whoever comes first, which is the transaction that has locked them.
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5, 300})
  void aWalkThatLocksInAMapThatWasJustOpened(int entries) {
    Map<Long, Long> map = Kind.HASHED.open(store);
    LongStream.range(0, entries).forEach(key -> map.put(key, key));
    store.close();
    open();
    Map<Long, Long> opened = Kind.HASHED.open(store);
    Disturbance disturbance = new Disturbance();
    long found =
        store.transaction(
            () -> {
              disturbance.meet();
              return opened.keySet().stream().count();
            });
    assertThat(found).isEqualTo(entries);
    assertThat(store.transactions().locking()).isPositive();
  }

  @ParameterizedTest
  @EnumSource
  void aPollPassesOverWhatAnOpenSectionHasPolled(Poller poller) {
    var map = store.treeMap("map", Long.class, Long.class);
    LongStream.range(0, 9).forEach(key -> map.put(key, key));
    OpenSection section =
        new OpenSection(
            () -> {
              map.pollFirstEntry();
              map.pollFirstEntry();
              map.pollLastEntry();
            });
    try (section) {
      var block = poller.block.apply(store);
      inAnotherThread(() -> assertThat(block.run(map::pollFirstEntry).getKey()).isEqualTo(2));
      inAnotherThread(() -> assertThat(block.run(map::pollLastEntry).getKey()).isEqualTo(7));
    }
    assertThat(map).containsOnlyKeys(3L, 4L, 5L, 6L);
  }
}
