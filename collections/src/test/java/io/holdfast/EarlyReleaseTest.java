package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.collections.PersistentHashMap;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.collections.PersistentTreeMap;
import io.holdfast.core.Durability;
import io.holdfast.core.HoldfastException;
import io.holdfast.core.disk.Disk;
import io.holdfast.core.fixture.FaultyDisk;
import io.holdfast.core.fixture.FaultyDisk.Fault;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.redo.Disks;
import io.holdfast.testkit.ForwardingDisk.Change;
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// ACK-2: who waits for the disk holds no lock, so that those who use the same lock share its
/// writes.
@Timeout(120)
class EarlyReleaseTest {
  /// Threads that use one lock.
  private static final int THREADS = 8;

  @TempDir Path directory;
  private FaultyDisk disk;
  private RegionFile file;
  private Holdfast store;
  private PersistentHashMap<Long, Long> map;
  private PersistentTreeMap<Long, Long> tree;
  private PersistentQueue<Long> queue;

  /// What the threads that wrote to the log held, and how many writes the test's thread has made.
  private final List<String> held = new ArrayList<>();

  private int writes;

  /// While it is not `null`, a write to the log waits for it.
  private volatile CountDownLatch blocked;

  private final CountDownLatch firstWrites = new CountDownLatch(1);
  private final AtomicInteger allWrites = new AtomicInteger();

  @BeforeEach
  void open() {
    Path path = directory.resolve("s.hf");
    Holdfast.open(path).close();
    disk = new FaultyDisk(Disk.local());
    file = RegionFile.openOn(path, Disks.logged(disk, 4 << 20, Durability.POWER_FAILURE));
    store = Holdfast.over(file.memory());
    map = store.hashMap("map", Long.class, Long.class);
    tree = store.treeMap("tree", Long.class, Long.class);
    queue = store.queue("queue", Long.class);
  }

  @AfterEach
  void close() {
    disk.beforeEach(_ -> {});
    try (RegionFile _ = file) {
      store.close();
    }
  }

  private void look() {
    Thread tested = Thread.currentThread();
    disk.beforeEach(
        call -> {
          if (call == Change.WRITE_DURABLY && Thread.currentThread().equals(tested)) {
            writes++;
            held.addAll(heldByThis());
          }
        });
  }

  /// Monitors and locks, but for those of test runners.
  private static List<String> heldByThis() {
    long[] self = {Thread.currentThread().threadId()};
    ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(self, true, true)[0];
    return Stream.<LockInfo>concat(
            Stream.of(info.getLockedMonitors()), Stream.of(info.getLockedSynchronizers()))
        .map(LockInfo::toString)
        .filter(lock -> !lock.startsWith("org.junit"))
        .toList();
  }

  @Test
  void ack2NobodyWaitsWithALock() {
    Lock lock = new DurableLock();
    DurableReadWriteLock both = new DurableReadWriteLock();
    Map<Long, Long> many = new LinkedHashMap<>();
    for (long i = 0; i < 300; i++) { // more than a batch has
      many.put(i, i);
    }
    Map<String, Runnable> operations = new LinkedHashMap<>();
    operations.put("put", () -> map.put(1L, 1L));
    operations.put("compute", () -> map.merge(1L, 1L, Long::sum));
    operations.put("a batch", () -> map.putAll(Map.of(1L, 2L, 2L, 3L, 3L, 4L)));
    operations.put("a batch of one", () -> map.putAll(Map.of(1L, 5L)));
    operations.put("more than a batch", () -> map.putAll(many));
    operations.put("remove", () -> map.remove(1L));
    operations.put("clear", map::clear);
    operations.put("tree put", () -> tree.put(1L, 1L));
    operations.put("tree puts", () -> tree.putAll(many));
    operations.put("tree poll", tree::pollFirstEntry);
    operations.put("tree clear", tree::clear);
    operations.put("add", () -> queue.add(1L));
    operations.put("adds", () -> queue.addAll(List.of(1L, 2L, 3L)));
    operations.put("poll", queue::poll);
    operations.put("queue clear", queue::clear);
    operations.put("open", () -> store.hashMap("another", Long.class, Long.class));
    operations.put("rename", () -> store.rename("another", "renamed"));
    operations.put("delete", () -> store.delete("renamed"));
    operations.put("atomically", () -> store.atomically(() -> map.put(1L, 2L)));
    operations.put("allOrNothing", () -> store.allOrNothing(() -> map.put(1L, 3L)));
    operations.put(
        "transaction",
        () ->
            store.transaction(
                () -> {
                  map.put(1L, 4L);
                  tree.put(1L, 4L);
                  queue.add(4L);
                }));
    operations.put("a lock", () -> under(lock, () -> map.put(1L, 6L)));
    operations.put("a read lock", () -> under(both.readLock(), () -> map.put(1L, 7L)));
    operations.put("a write lock", () -> under(both.writeLock(), () -> map.put(1L, 8L)));
    operations.put(
        "locks", () -> under(lock, () -> under(both.writeLock(), () -> map.put(1L, 9L))));
    operations.put(
        "what is held back",
        () ->
            under(
                lock,
                () ->
                    store.transaction(
                        () -> {
                          map.put(1L, 10L);
                          queue.add(10L);
                        })));
    look();
    operations.forEach(
        (name, operation) -> {
          store.sync();
          writes = 0;
          operation.run();
          assertThat(held).as(name).isEmpty();
          writes = 0;
          store.sync();
          if (!name.endsWith("clear") && !name.equals("delete")) { // which go on to free blocks
            assertThat(writes).as("of what %s did, when it had returned", name).isZero();
          }
        });
  }

  private static void under(Lock lock, Runnable action) {
    lock.lock();
    try {
      action.run();
    } finally {
      lock.unlock();
    }
  }

  static Stream<Lock> locks() {
    return Stream.of(
        new DurableLock(), new DurableLock(true), new DurableReadWriteLock().writeLock());
  }

  @ParameterizedTest
  @MethodSource("locks")
  void aLockSharesWrites(Lock lock) throws Exception {
    assertSharesWrites(
        () -> under(lock, () -> map.merge(1L, 1L, Long::sum)), () -> map.get(1L) == THREADS);
  }

  @Test
  void ofVirtualThreadsToo() throws Exception {
    Lock lock = new DurableLock();
    assertSharesWrites(
        () ->
            under(
                lock,
                () -> {
                  Long before = map.get(1L);
                  map.put(1L, before == null ? 1 : before + 1);
                }),
        () -> map.get(1L) == THREADS,
        Thread.ofVirtual());
  }

  /// A lock of a collection: the end of a queue, and what batches of a map have in common.
  @Test
  void aCollectionSharesWrites() throws Exception {
    assertSharesWrites(() -> queue.add(1L), () -> queue.size() == THREADS);
  }

  @Test
  void batchesShareWrites() throws Exception {
    assertSharesWrites(
        () -> {
          long key = 2 * Thread.currentThread().threadId();
          map.putAll(Map.of(key, 1L, key + 1, 1L));
        },
        () -> map.size() == 2 * THREADS);
  }

  private void assertSharesWrites(Runnable operation, BooleanSupplier isDone) throws Exception {
    assertSharesWrites(operation, isDone, Thread.ofPlatform());
  }

  /// While the device is busy with the first operation all others do theirs. Then one write is for
  /// all; two if not all have been told of in time.
  private void assertSharesWrites(
      Runnable operation, BooleanSupplier isDone, Thread.Builder builder) throws Exception {
    store.sync();
    blockWrites();
    List<Thread> threads = new ArrayList<>();
    threads.add(builder.start(operation));
    firstWrites.await();
    for (int i = 1; i < THREADS; i++) {
      threads.add(builder.start(operation));
    }
    try {
      for (int i = 0; i < 2_000 && !store.relaxed(isDone::getAsBoolean); i++) {
        TimeUnit.MILLISECONDS.sleep(10);
      }
      assertThat(store.relaxed(isDone::getAsBoolean))
          .as("all have changed it behind the first")
          .isTrue();
      assertThat(threads).as("ACK-1: nobody has returned").allMatch(Thread::isAlive);
    } finally {
      unblock();
    }
    for (Thread each : threads) {
      each.join();
    }
    assertThat(allWrites.get()).isBetween(2, 3);
  }

  private void blockWrites() {
    blocked = new CountDownLatch(1);
    disk.beforeEach(
        call -> {
          CountDownLatch latch = blocked;
          allWrites.addAndGet(call == Change.WRITE_DURABLY ? 1 : 0);
          if (call == Change.WRITE_DURABLY && latch != null) {
            firstWrites.countDown();
            try {
              latch.await();
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
          }
        });
  }

  private void unblock() {
    CountDownLatch latch = blocked;
    blocked = null;
    latch.countDown();
  }

  /// Only the outermost release waits.
  @Test
  void anInnerReleaseDoesNotWait() {
    Lock outer = new DurableLock();
    Lock inner = new DurableLock();
    look();
    outer.lock();
    try {
      under(inner, () -> map.put(1L, 1L));
      under(outer, () -> map.put(2L, 2L));
      assertThat(writes).isZero();
    } finally {
      outer.unlock();
    }
    assertThat(writes).isEqualTo(1);
    assertThat(held).isEmpty();
  }

  /// A release that waits for the disk tells what that refuses; the lock is given up.
  @ParameterizedTest
  @MethodSource("locks")
  void aReleaseTellsWhatTheDiskRefuses(Lock lock) {
    store.sync();
    disk.fail(disk.calls().size() + 1, Fault.FAILED);
    assertThatThrownBy(() -> under(lock, () -> map.put(1L, 1L)))
        .isInstanceOf(HoldfastException.class)
        .hasMessageContaining("Input/output error");
    assertThat(heldByThis()).isEmpty();
  }

  /// A section that has changed nothing waits for nothing.
  @Test
  void aReaderDoesNotWait() {
    Lock lock = new DurableLock();
    look();
    under(lock, () -> map.get(1L));
    store.relaxed(() -> map.put(1L, 1L));
    under(lock, () -> map.get(1L));
    assertThat(writes).isZero();
  }

  /// What a section did that a wait has ended is waited for when its thread releases the lock
  /// again.
  @Test
  void aWaitOnAConditionIsNoWaitForTheDisk() throws Exception {
    Lock lock = new DurableLock();
    Condition condition = lock.newCondition();
    AtomicBoolean isSignalled = new AtomicBoolean();
    List<String> heldThen = new ArrayList<>();
    Thread waiting =
        Thread.ofPlatform()
            .start(
                () -> {
                  lock.lock();
                  try {
                    map.put(1L, 1L);
                    while (!isSignalled.get()) {
                      condition.awaitUninterruptibly();
                    }
                  } finally {
                    lock.unlock();
                  }
                  // What returned is durable.
                  assertThat(store.receipt().isSafe()).isTrue();
                });
    disk.beforeEach(
        call -> {
          if (call == Change.WRITE_DURABLY) {
            synchronized (heldThen) {
              heldThen.addAll(
                  heldByThis().stream().filter(each -> !each.contains("ArrayList")).toList());
            }
          }
        });
    while (map.get(1L) == null) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
    under(
        lock,
        () -> {
          isSignalled.set(true);
          condition.signalAll();
        });
    AtomicBoolean hasFailed = new AtomicBoolean();
    waiting.setUncaughtExceptionHandler((_, _) -> hasFailed.set(true));
    waiting.join();
    assertThat(hasFailed).isFalse();
    assertThat(heldThen).isEmpty();
  }

  /// Deferred output: not before the disk has it, though others have the lock by then.
  @Test
  void anActionWaitsForTheDisk() throws Exception {
    Lock lock = new DurableLock();
    AtomicBoolean hasRun = new AtomicBoolean();
    store.sync();
    blockWrites();
    Thread first =
        Thread.ofPlatform()
            .start(
                () ->
                    under(
                        lock,
                        () -> {
                          map.put(1L, 1L);
                          store.onDurable(() -> hasRun.set(true));
                        }));
    firstWrites.await();
    lock.lock(); // is free
    Receipt receipt;
    try {
      assertThat(map).containsEntry(1L, 1L);
    } finally {
      lock.unlock();
    }
    receipt = store.receipt();
    TimeUnit.MILLISECONDS.sleep(100);
    assertThat(hasRun).isFalse();
    assertThat(receipt.isSafe()).isFalse();
    assertThat(first.isAlive()).isTrue();
    unblock();
    first.join();
    receipt.await();
    for (int i = 0; i < 1_000 && !hasRun.get(); i++) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
    assertThat(hasRun).isTrue();
  }
}
