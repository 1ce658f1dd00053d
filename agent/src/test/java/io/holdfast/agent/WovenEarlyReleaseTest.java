package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.acme.OwnLocks;
import io.holdfast.Holdfast;
import io.holdfast.core.Durability;
import io.holdfast.core.disk.Disk;
import io.holdfast.core.fixture.FaultyDisk;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.redo.Disks;
import io.holdfast.testkit.ForwardingDisk.Change;
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// ACK-2 of core: woven code waits for the disk after it has released its outermost lock.
@Timeout(60)
class WovenEarlyReleaseTest {
  private static final int THREADS = 8;

  /// Shapes that give up what they hold when their body fails.
  private static final List<String> LEFT_BY_EXCEPTIONS =
      List.of(
          "block",
          "reentered",
          "inLambda",
          "methodWithBlock",
          "method",
          "ofClass",
          "nested",
          "lock block",
          "lock reentrant",
          "nested locks",
          "own Wrapped",
          "own Spinning",
          "await");

  private final WovenLoader loader = WovenLoader.real();
  private final Woven monitors = new Woven(loader, "com.acme.Monitors", "monitors");
  private final Woven locks = new Woven(loader, "com.acme.Locks");

  @TempDir Path directory;
  private FaultyDisk disk;
  private RegionFile file;
  private Holdfast store;
  private ConcurrentMap<String, Long> map;
  private final List<String> held = new ArrayList<>();
  private int writes;

  @BeforeEach
  void open() {
    Path path = directory.resolve("s.hf");
    Holdfast.open(path).close();
    disk = new FaultyDisk(Disk.local());
    file = RegionFile.openOn(path, Disks.logged(disk, 4 << 20, Durability.POWER_FAILURE));
    store = Holdfast.over(file.memory());
    map = store.hashMap("map", String.class, Long.class);
  }

  @AfterEach
  void close() {
    disk.beforeEach(_ -> {});
    try (RegionFile _ = file) {
      store.close();
    }
  }

  private void increment() {
    map.merge("n", 1L, Long::sum);
  }

  private static List<String> heldByThis() {
    long[] self = {Thread.currentThread().threadId()};
    ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(self, true, true)[0];
    return Stream.<LockInfo>concat(
            Stream.of(info.getLockedMonitors()), Stream.of(info.getLockedSynchronizers()))
        .map(LockInfo::toString)
        .filter(lock -> !lock.startsWith("org.junit"))
        .toList();
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

  @Test
  void ack2NobodyWaitsWithALock() {
    Object a = new Object();
    Object b = new Object();
    ReentrantLock lock = new ReentrantLock();
    Map<String, Consumer<Runnable>> shapes = new LinkedHashMap<>();
    for (String name : List.of("block", "reentered", "inLambda", "methodWithBlock")) {
      shapes.put(name, body -> monitors.call(name, a, body));
    }
    for (String name : List.of("method", "methodWithCatch", "ofClass")) {
      shapes.put(name, body -> monitors.call(name, body));
    }
    shapes.put("nested", body -> monitors.call("nested", a, b, body));
    shapes.put("loop", body -> monitors.call("loop", a, 3, body));
    shapes.put("switched", body -> monitors.call("switched", a, 1, body));
    shapes.put("withFinally", body -> monitors.call("withFinally", a, body, body));
    shapes.put("caught", body -> monitors.call("caught", a, body, body));
    shapes.put("caughtOutside", body -> monitors.call("caughtOutside", a, body));
    for (String name : List.of("block", "interruptibly", "tried", "timed", "reentrant")) {
      shapes.put("lock " + name, body -> locks.call(name, lock, body));
    }
    shapes.put("lock references", body -> locks.call("references", lock, body));
    ReentrantReadWriteLock both = new ReentrantReadWriteLock();
    shapes.put("readAndWrite", body -> locks.call("readAndWrite", both, body));
    shapes.put("downgrade", body -> locks.call("downgrade", both, body));
    shapes.put("nested locks", body -> locks.call("nested", lock, new ReentrantLock(), body));
    shapes.put("handOverHand", body -> locks.call("handOverHand", lock, new ReentrantLock(), body));
    StampedLock stamped = new StampedLock();
    for (String name :
        List.of("stampedWrite", "stampedRead", "stampedConversions", "stampedViews")) {
      shapes.put(name, body -> locks.call(name, stamped, body));
    }
    Object own = new Woven(loader, "com.acme.OwnLocks$Counting").instance();
    Woven ownLocks = new Woven(loader, "com.acme.OwnLocks");
    shapes.put("counting", body -> ownLocks.call("counting", own, body));
    for (String name : List.of("Wrapped", "Spinning")) {
      Object its = new Woven(loader, OwnLocks.class.getName() + "$" + name).instance();
      shapes.put("own " + name, body -> locks.call("block", its, body));
    }
    shapes.put("wait", body -> locks.call("pause", body));
    shapes.put("wait by nanoseconds", body -> locks.call("pauseNanos", body));
    shapes.put("wait under another", body -> locks.call("pauseUnder", a, b, body));
    shapes.put("await", body -> locks.call("await", lock, lock.newCondition(), body));
    look();
    shapes.forEach(
        (name, shape) -> {
          store.sync();
          writes = 0;
          shape.accept(this::increment);
          assertThat(held).as(name).isEmpty();
          assertThat(writes > 0 || name.contains("wait")).as("%s has waited", name).isTrue();
          assertIsDurable(name);
          if (LEFT_BY_EXCEPTIONS.contains(name)) {
            Runnable failing =
                () -> {
                  increment();
                  throw new IllegalStateException("failed");
                };
            assertThatThrownBy(() -> shape.accept(failing)).hasMessage("failed");
          }
          assertThat(held).as("%s, by an exception", name).isEmpty();
          assertIsDurable(name);
        });
    assertThat(lock.isLocked()).isFalse();
    assertThat(stamped.isReadLocked() || stamped.isWriteLocked()).isFalse();
  }

  private void assertIsDurable(String name) {
    writes = 0;
    store.sync();
    assertThat(writes).as("of what %s did, when it had returned", name).isZero();
  }

  /// Only the outermost release waits.
  @Test
  void anInnerReleaseDoesNotWait() {
    look();
    monitors.call(
        "block",
        new Object(),
        (Runnable)
            () -> {
              monitors.call("block", new Object(), (Runnable) this::increment);
              monitors.call("method", (Runnable) this::increment);
              locks.call("block", new ReentrantLock(), (Runnable) this::increment);
              assertThat(writes).isZero();
            });
    assertThat(writes).isEqualTo(1);
  }

  @Test
  void aReaderDoesNotWait() {
    look();
    monitors.call("block", new Object(), (Runnable) () -> map.get("n"));
    monitors.call("method", (Runnable) () -> map.get("n"));
    assertThat(writes).isZero();
  }

  /// While the device is busy with the first section all others come into the lock.
  @ParameterizedTest
  @ValueSource(strings = {"block", "method", "ofClass", "lock"})
  void aLockSharesWrites(String shape) throws Exception {
    store.sync();
    Object monitor = new Object();
    Lock lock = new ReentrantLock();
    Runnable operation =
        () -> {
          switch (shape) {
            case "block" -> monitors.call(shape, monitor, (Runnable) this::increment);
            case "lock" -> locks.call("block", lock, (Runnable) this::increment);
            default -> monitors.call(shape, (Runnable) this::increment);
          }
        };
    CountDownLatch first = new CountDownLatch(1);
    CountDownLatch mayWrite = new CountDownLatch(1);
    AtomicInteger all = new AtomicInteger();
    disk.beforeEach(
        call -> {
          if (call == Change.WRITE_DURABLY) {
            all.incrementAndGet();
            first.countDown();
            try {
              mayWrite.await();
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
          }
        });
    List<Thread> threads = new ArrayList<>();
    try {
      threads.add(Thread.ofPlatform().start(operation));
      first.await();
      for (int i = 1; i < THREADS; i++) {
        threads.add(Thread.ofPlatform().start(operation));
      }
      for (int i = 0; i < 2_000 && map.get("n") < THREADS; i++) {
        TimeUnit.MILLISECONDS.sleep(10);
      }
      assertThat(map).containsEntry("n", (long) THREADS);
      assertThat(threads).as("ACK-1: nobody has returned").allMatch(Thread::isAlive);
    } finally {
      mayWrite.countDown();
      for (Thread each : threads) {
        each.join();
      }
    }
    assertThat(all).hasValueBetween(2, 3);
  }

  /// Modifiers are part of a serial version that is computed.
  @Test
  void whatIsSerializedWithoutAVersionKeepsItsModifiers() throws Exception {
    Class<?> computed = loader.loadClass("com.acme.Serials$Computed");
    assertThat(Modifier.isSynchronized(computed.getMethod("run", Runnable.class).getModifiers()))
        .isTrue();
    Class<?> given = loader.loadClass("com.acme.Serials$Given");
    assertThat(Modifier.isSynchronized(given.getMethod("run", Runnable.class).getModifiers()))
        .isFalse();
    assertThat(java.io.ObjectStreamClass.lookup(computed).getSerialVersionUID())
        .isEqualTo(
            java.io.ObjectStreamClass.lookup(com.acme.Serials.Computed.class)
                .getSerialVersionUID());
    look();
    new Woven(loader, "com.acme.Serials$Computed").call("run", (Runnable) this::increment);
    assertThat(writes).isEqualTo(1);
    assertThat(held).as("its lock is held meanwhile").isNotEmpty();
  }
}
