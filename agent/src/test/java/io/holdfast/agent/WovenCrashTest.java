package io.holdfast.agent;

import static io.holdfast.agent.Litmus.LOADER;
import static io.holdfast.agent.Litmus.LOCKS;
import static io.holdfast.agent.Litmus.ordered;
import static io.holdfast.agent.Litmus.prepared;
import static io.holdfast.agent.Litmus.storing;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.fixture.Words;
import io.holdfast.core.region.Region;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.CrashExplorer.Action;
import io.holdfast.testkit.CrashTest;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/// Crashes of woven programs that know nothing of sections: each kind of lock makes its sections
/// atomic, and each kind of hand-over orders them.
class WovenCrashTest {
  // Made once for all runs: their identities decide which stripes they use.
  private static final Woven SHARED = new Woven(LOADER, "com.acme.HandOvers");
  private static final Woven HEIR = new Woven(LOADER, "com.acme.Heir", (Runnable) () -> {});
  private static final Lock INNER = new ReentrantLock();
  private static final ReentrantReadWriteLock PAIR = new ReentrantReadWriteLock();
  private static final ReadWriteLock MADE = new WovenLocksTest.Made(new ReentrantReadWriteLock());
  private static final ReentrantReadWriteLock UNPAIRED = new ReentrantReadWriteLock();
  private static final StampedLock STAMPED = new StampedLock();
  private static final AtomicInteger COUNTER = new AtomicInteger();
  private static final ArrayBlockingQueue<String> QUEUE = new ArrayBlockingQueue<>(1_000);
  private static final ConcurrentHashMap<String, String> MAP = new ConcurrentHashMap<>();
  private static final CountDownLatch LATCH = new CountDownLatch(1);

  /// One section, of both words.
  private static void atomic(CrashExplorer<Region> explorer, Action<Region> section) {
    prepared(explorer)
        .step("stores 0 and 1", section)
        .check(
            (region, point) -> {
              assertThat(Words.read(region, 0)).as("both or none").isEqualTo(Words.read(region, 1));
              if (point.acknowledged() == 1) {
                assertThat(Words.read(region, 0)).as("acknowledged").isPositive();
              }
            });
  }

  @CrashTest
  void p1AtomicUnderALock(CrashExplorer<Region> explorer) {
    atomic(explorer, region -> LOCKS.call("block", INNER, storing(region, 0, 1)));
  }

  @CrashTest
  void p1AtomicUnderALockTakenByReference(CrashExplorer<Region> explorer) {
    atomic(explorer, region -> LOCKS.call("references", INNER, storing(region, 0, 1)));
  }

  @CrashTest
  void p1AtomicUnderReadWriteLocks(CrashExplorer<Region> explorer) {
    atomic(explorer, region -> LOCKS.call("readAndWrite", PAIR, storing(region, 0, 1)));
  }

  @CrashTest
  void p1AtomicUnderAStampedLock(CrashExplorer<Region> explorer) {
    atomic(explorer, region -> LOCKS.call("stampedWrite", STAMPED, storing(region, 0, 1)));
  }

  /// Word 0 is stored twice before the wait, under a monitor that is held twice, and twice after
  /// it. A wait that would not give up the holds would leave one section.
  @CrashTest
  void p6AWaitEndsTheSection(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .step("stores, waits, stores", region -> LOCKS.call("pause", storing(region, 0)))
        .check(
            (region, point) -> {
              assertThat(Words.read(region, 0)).isIn(0L, 2L, 4L);
              seenBetween |= Words.read(region, 0) == 2;
            })
        .explore();
    assertThat(seenBetween).as("some crash shows what was done before the wait").isTrue();
  }

  private boolean seenBetween;

  @CrashTest
  void p2OrderedByALock(CrashExplorer<Region> explorer) {
    Action<Region> inner = _ -> LOCKS.call("block", INNER, (Runnable) () -> {});
    ordered(explorer, inner, inner);
  }

  @CrashTest
  void p2OrderedByWriterAndReader(CrashExplorer<Region> explorer) {
    ordered(
        explorer,
        _ -> LOCKS.call("block", LOCKS.call("writer", PAIR), (Runnable) () -> {}),
        _ -> LOCKS.call("block", LOCKS.call("reader", PAIR), (Runnable) () -> {}));
  }

  @CrashTest
  void p2OrderedByLocksThatAreMadeAtEachCall(CrashExplorer<Region> explorer) {
    ordered(
        explorer,
        _ -> LOCKS.call("block", LOCKS.call("writer", MADE), (Runnable) () -> {}),
        _ -> LOCKS.call("block", LOCKS.call("writer", MADE), (Runnable) () -> {}));
  }

  @CrashTest
  void p2OrderedByReaderAndWriter(CrashExplorer<Region> explorer) {
    ordered(
        explorer,
        _ -> LOCKS.call("block", LOCKS.call("reader", PAIR), (Runnable) () -> {}),
        _ -> LOCKS.call("block", LOCKS.call("writer", PAIR), (Runnable) () -> {}));
  }

  /// Whose they are was never said in woven code.
  @CrashTest
  void p2OrderedByLocksOfAnUnknownPair(CrashExplorer<Region> explorer) {
    ordered(
        explorer,
        _ -> LOCKS.call("block", UNPAIRED.readLock(), (Runnable) () -> {}),
        _ -> LOCKS.call("block", UNPAIRED.writeLock(), (Runnable) () -> {}));
  }

  @CrashTest
  void p2OrderedByAStampedLockAndItsView(CrashExplorer<Region> explorer) {
    ordered(
        explorer,
        _ -> LOCKS.call("stampedRead", STAMPED, (Runnable) () -> {}),
        _ -> LOCKS.call("stampedViews", STAMPED, (Runnable) () -> {}));
  }

  @CrashTest
  void p2OrderedByAConversionToReading(CrashExplorer<Region> explorer) {
    long[] stamp = {0};
    ordered(
        explorer,
        _ -> {
          stamp[0] = (long) LOCKS.call("takeStamped", STAMPED);
          stamp[0] = (long) LOCKS.call("toReading", STAMPED, stamp[0]);
        },
        _ -> assertThat(LOCKS.call("readOptimistically", STAMPED)).isEqualTo(true),
        7);
    explorer.step("A", "A gives it up", _ -> LOCKS.call("giveStamped", STAMPED, stamp[0]));
  }

  @CrashTest
  void p2OrderedByAMonitorThatIsWaitedFor(CrashExplorer<Region> explorer) {
    ordered(explorer, _ -> LOCKS.call("pauseNanos", (Runnable) () -> {}), _ -> LOCKS.call("wake"));
  }

  @CrashTest
  void p2OrderedByAVolatileField(CrashExplorer<Region> explorer) {
    ordered(explorer, _ -> SHARED.call("setLarge", 1L), _ -> SHARED.call("getLarge"));
  }

  @CrashTest
  void p2OrderedByAnInheritedField(CrashExplorer<Region> explorer) {
    ordered(explorer, _ -> HEIR.call("setNumber", 1), _ -> HEIR.call("inherited"));
  }

  @CrashTest
  void p2OrderedByAStaticField(CrashExplorer<Region> explorer) {
    ordered(explorer, _ -> SHARED.call("setShared", 1), _ -> HEIR.call("inheritedStatic"));
  }

  @CrashTest
  void p2OrderedByAVarHandleAndItsField(CrashExplorer<Region> explorer) {
    ordered(explorer, _ -> SHARED.call("setRelease", 1), _ -> SHARED.call("getNumber"));
  }

  /// Heir is woven first, when it is not known which class has the field that it inherits.
  @CrashTest
  void p2OrderedByAStaticFieldOfAClassThatIsNotToBeFound(CrashExplorer<Region> explorer) {
    WovenLoader loader = WovenLoader.realWithoutFiles();
    Woven heir = new Woven(loader, "com.acme.Heir", (Runnable) () -> {});
    Woven shared = new Woven(loader, "com.acme.HandOvers");
    ordered(explorer, _ -> shared.call("setShared", 1), _ -> heir.call("inheritedStatic"));
  }

  @CrashTest
  void p2OrderedByAStaticFieldAndItsVarHandle(CrashExplorer<Region> explorer) {
    ordered(explorer, _ -> SHARED.call("setShared", 1), _ -> SHARED.call("getSharedByHandle"));
  }

  @CrashTest
  void p2OrderedByAVarHandleAndItsStaticField(CrashExplorer<Region> explorer) {
    ordered(explorer, _ -> SHARED.call("setSharedByHandle", 1), _ -> SHARED.call("getShared"));
  }

  @CrashTest
  void p2OrderedByAFieldUpdater(CrashExplorer<Region> explorer) {
    ordered(explorer, _ -> SHARED.call("updated", 1L), _ -> SHARED.call("getLarge"));
  }

  @CrashTest
  void p2OrderedByAnAtomicAndAReferenceToIt(CrashExplorer<Region> explorer) {
    ordered(
        explorer, _ -> SHARED.call("increment", COUNTER), _ -> SHARED.call("byReference", COUNTER));
  }

  @CrashTest
  void p2OrderedByAQueue(CrashExplorer<Region> explorer) {
    ordered(explorer, _ -> SHARED.call("put", QUEUE, "element"), _ -> SHARED.call("take", QUEUE));
  }

  @CrashTest
  void p2OrderedByAMap(CrashExplorer<Region> explorer) {
    ordered(
        explorer,
        _ -> SHARED.call("put", MAP, "key", "value"),
        _ -> SHARED.call("put", MAP, "key", "value"));
  }

  @CrashTest
  void p2OrderedByALatch(CrashExplorer<Region> explorer) {
    ordered(explorer, _ -> SHARED.call("countDown", LATCH), _ -> SHARED.call("await", LATCH));
  }

  /// A starts a thread inside of its section; B is not that thread, but joins it.
  @CrashTest
  void p2OrderedByAThreadThatIsStartedAndJoined(CrashExplorer<Region> explorer) {
    Thread[] thread = {null};
    ordered(
        explorer,
        _ -> {
          thread[0] =
              Thread.ofPlatform().unstarted(() -> LOCKS.call("block", INNER, (Runnable) () -> {}));
          SHARED.call("start", thread[0]);
        },
        _ -> SHARED.call("join", thread[0]));
  }
}
