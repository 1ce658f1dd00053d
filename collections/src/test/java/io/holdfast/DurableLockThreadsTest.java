package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.core.RecoveryReport.Outcome;
import io.holdfast.core.fixture.Words;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.region.Region;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Threads that run at once, on a real file: in the end all is durable and adds up.
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DurableLockThreadsTest {
  private static final int ACCOUNTS = 8, THREADS = 6, ROUNDS = 3_000;

  @TempDir Path directory;
  private RegionFile file;
  private Region region;
  private final List<DurableLock> locks = new ArrayList<>();

  @BeforeEach
  void open() {
    file = RegionFile.open(directory.resolve("words.hf"));
    region = Region.open(file.memory(), RegionFile.INITIAL_BYTES);
    Words.create(region, ACCOUNTS);
    for (int i = 0; i < ACCOUNTS; i++) {
      locks.add(new DurableLock(i % 2 == 0));
    }
  }

  @AfterEach
  void close() {
    region.close();
    file.close();
  }

  private static ExecutorService threads(boolean virtual) {
    return virtual
        ? Executors.newVirtualThreadPerTaskExecutor()
        : Executors.newFixedThreadPool(THREADS);
  }

  private void runAll(boolean virtual, List<Callable<Void>> tasks) throws Exception {
    try (ExecutorService executor = threads(virtual)) {
      for (Future<Void> done : executor.invokeAll(tasks)) {
        done.get();
      }
    }
  }

  /// Of a copy that was not closed: recovery must find all that was acknowledged.
  private List<Long> recovered() throws IOException {
    Path left = Files.copy(directory.resolve("words.hf"), directory.resolve("left.hf"));
    try (RegionFile copy = RegionFile.open(left);
        Region again = Region.open(copy.memory(), RegionFile.INITIAL_BYTES)) {
      assertThat(again.report().outcome()).isEqualTo(Outcome.RECOVERED);
      assertThat(again.report().entriesUndone()).isZero();
      return Words.read(again, 0, ACCOUNTS);
    }
  }

  private void add(int account, long amount) {
    Words.write(region, account, Words.read(region, account) + amount);
  }

  /// Hand over hand, under a read lock that a writer takes away from time to time.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void p6AcknowledgedByManyThreads(boolean virtual) throws Exception {
    DurableReadWriteLock all = new DurableReadWriteLock();
    List<Callable<Void>> tasks = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      Random random = new Random(thread);
      tasks.add(
          () -> {
            for (int i = 0; i < ROUNDS; i++) {
              if (random.nextInt(50) == 0) {
                rotate(all);
              } else {
                transfer(all.readLock(), random);
              }
            }
            region.sections().sync();
            return null;
          });
    }
    runAll(virtual, tasks);
    List<Long> words = Words.read(region, 0, ACCOUNTS);
    assertThat(words.stream().mapToLong(Long::longValue).sum()).isZero();
    assertThat(words).anyMatch(word -> word != 0);
    assertThat(recovered()).isEqualTo(words);
  }

  private void transfer(Lock reading, Random random) {
    int first = random.nextInt(ACCOUNTS - 1);
    int second = first + 1 + random.nextInt(ACCOUNTS - first - 1);
    reading.lock();
    locks.get(first).lock();
    add(first, -1);
    locks.get(second).lock();
    locks.get(first).unlock();
    reading.unlock();
    add(second, 1);
    locks.get(second).unlock();
  }

  /// A writer must still have each account's lock: a transfer goes on after the read lock.
  private void rotate(DurableReadWriteLock all) {
    all.writeLock().lock();
    try {
      locks.forEach(Lock::lock);
      assertThat(Words.read(region, 0, ACCOUNTS).stream().mapToLong(Long::longValue).sum())
          .isZero();
      long first = Words.read(region, 0);
      for (int i = 0; i + 1 < ACCOUNTS; i++) {
        Words.write(region, i, Words.read(region, i + 1));
      }
      Words.write(region, ACCOUNTS - 1, first);
      all.readLock().lock();
    } finally {
      all.writeLock().unlock();
    }
    locks.forEach(Lock::unlock);
    all.readLock().unlock();
  }

  /// Producers and consumers of a store of ten, counted in words; a wait alone or inside of another
  /// lock.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void p6AcknowledgedThroughConditions(boolean virtual) throws Exception {
    DurableLock store = locks.getFirst();
    Condition notFull = store.newCondition();
    Condition notEmpty = store.newCondition();
    List<Callable<Void>> tasks = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      int own = 2 + thread;
      boolean produces = thread % 2 == 0;
      boolean nested = thread < 2;
      tasks.add(
          () -> {
            for (int i = 0; i < ROUNDS; i++) {
              if (nested) {
                locks.get(own).lock();
              }
              store.lock();
              add(own, 1);
              if (produces) {
                while (Words.read(region, 0) == 10) {
                  notFull.await();
                }
                add(0, 1);
                notEmpty.signal();
              } else {
                while (Words.read(region, 0) == 0) {
                  notEmpty.await();
                }
                add(0, -1);
                notFull.signal();
              }
              store.unlock();
              if (nested) {
                locks.get(own).unlock();
              }
            }
            return null;
          });
    }
    runAll(virtual, tasks);
    List<Long> words = recovered();
    assertThat(words.getFirst()).isZero();
    assertThat(words.subList(2, 2 + THREADS)).containsOnly((long) ROUNDS);
  }

  /// A section is its virtual thread's, on whatever carriers it runs.
  @Test
  void p1SectionsThatMigrateBetweenCarriers() throws Exception {
    assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "there is one carrier alone");
    AtomicInteger migrated = new AtomicInteger();
    AtomicInteger sections = new AtomicInteger();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LockedWords.SECONDS_MAX);
    List<Callable<Void>> tasks = new ArrayList<>();
    for (int account = 0; account < ACCOUNTS; account++) {
      int own = account;
      tasks.add(
          () -> {
            for (int i = 0; i < 50 || migrated.get() < 100; i++) {
              assertThat(System.nanoTime()).as("until sections migrate").isLessThan(deadline);
              migrated.addAndGet(sectionThatSleeps(own));
              sections.incrementAndGet();
            }
            return null;
          });
    }
    runAll(true, tasks);
    long sum = recovered().stream().mapToLong(Long::longValue).sum();
    assertThat(sum).isEqualTo(2L * sections.get());
  }

  /// @return how often the thread changed its carrier in it
  private int sectionThatSleeps(int account) throws InterruptedException {
    DurableLock lock = locks.get(account);
    lock.lock();
    String carrier = carrier();
    add(account, 1);
    Thread.sleep(0, 1_000);
    boolean changed = !carrier.equals(carrier());
    lock.lock();
    Thread.yield();
    add(account, 1);
    lock.unlock();
    lock.unlock();
    return changed ? 1 : 0;
  }

  /// The text of a virtual thread ends with its carrier's name.
  private static String carrier() {
    String text = Thread.currentThread().toString();
    return text.substring(text.indexOf('@'));
  }
}
