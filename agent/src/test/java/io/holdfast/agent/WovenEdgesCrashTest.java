package io.holdfast.agent;

import static io.holdfast.agent.Litmus.LOADER;
import static io.holdfast.agent.Litmus.ordered;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.region.Region;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.CrashTest;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.List;
import java.util.TreeMap;
import java.util.Vector;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.Phaser;

/// Litmus tests of calls by which threads hand something over: what one of them stored in the
/// section that it is in comes before what the other one stores.
class WovenEdgesCrashTest {
  private static final Woven CALLS = new Woven(LOADER, "com.acme.Exchanges");

  /// A tells, and B learns that it has.
  ///
  /// @param objects that both meet at, made anew for each run: A's and B's
  /// @param learned what B's call returns
  private static void exchange(
      CrashExplorer<Region> explorer,
      Callable<List<?>> objects,
      String tell,
      String learn,
      Object learned) {
    Object[] made = {null, null};
    ordered(
        explorer,
        _ -> {
          List<?> both = objects.call();
          made[0] = both.getFirst();
          made[1] = both.getLast();
          CALLS.call(tell, made[0]);
        },
        _ -> assertThat(CALLS.call(learn, made[1])).isEqualTo(learned));
  }

  @CrashTest
  void p2OrderedByAPhase(CrashExplorer<Region> explorer) {
    exchange(explorer, () -> List.of(new Phaser(1)), "arrive", "phase", 1);
  }

  @CrashTest
  void p2OrderedByATermination(CrashExplorer<Region> explorer) {
    exchange(explorer, () -> List.of(new Phaser(1)), "terminate", "isTerminated", true);
  }

  @CrashTest
  void p2OrderedByARegistration(CrashExplorer<Region> explorer) {
    exchange(explorer, () -> List.of(new Phaser(1)), "register", "register", 0);
  }

  @CrashTest
  void p2OrderedByRoomInAQueue(CrashExplorer<Region> explorer) {
    exchange(explorer, () -> List.of(new ArrayBlockingQueue<>(2)), "put", "room", 1);
  }

  /// The queue has room for one element, and has one.
  @CrashTest
  void p2OrderedByATakeThatMakesRoom(CrashExplorer<Region> explorer) {
    exchange(
        explorer,
        () -> List.of(new ArrayBlockingQueue<>(1, false, List.of("element"))),
        "take",
        "put",
        true);
  }

  @CrashTest
  void p2OrderedByAQueueThatIsEmptied(CrashExplorer<Region> explorer) {
    exchange(
        explorer,
        () -> List.of(new ArrayBlockingQueue<>(1, false, List.of("element"))),
        "take",
        "poll",
        null);
  }

  @CrashTest
  void p2OrderedByAConsumerThatWaits(CrashExplorer<Region> explorer) {
    exchange(explorer, () -> List.of(new LinkedTransferQueue<>()), "poll", "hasWaiting", false);
  }

  @CrashTest
  void p2OrderedByAKeySet(CrashExplorer<Region> explorer) {
    exchange(explorer, () -> List.of(ConcurrentHashMap.newKeySet()), "add", "contains", true);
  }

  @CrashTest
  void p2OrderedByATaskThatRuns(CrashExplorer<Region> explorer) {
    exchange(explorer, () -> List.of(new FutureTask<>(() -> "result")), "run", "get", "result");
  }

  private static FutureTask<String> failing() {
    return new FutureTask<>(
        () -> {
          throw new IllegalStateException();
        });
  }

  @CrashTest
  void p2OrderedByATaskThatFails(CrashExplorer<Region> explorer) {
    exchange(explorer, () -> List.of(failing()), "run", "failureOfGet", "failed");
  }

  @CrashTest
  void p2OrderedByATaskThatFailsWhereALockIsHeld(CrashExplorer<Region> explorer) {
    exchange(explorer, () -> List.of(failing()), "run", "failureOfGetInABlock", "failed");
  }

  @CrashTest
  void p2OrderedByAFutureThatFails(CrashExplorer<Region> explorer) {
    exchange(explorer, () -> List.of(new CompletableFuture<>()), "fail", "failureOfJoin", "failed");
  }

  @CrashTest
  void p2OrderedByABrokenBarrier(CrashExplorer<Region> explorer) {
    exchange(explorer, () -> List.of(new CyclicBarrier(2)), "breaks", "failureOfAwait", "failed");
  }

  @CrashTest
  void p2OrderedByAFuturesState(CrashExplorer<Region> explorer) {
    exchange(
        explorer,
        () -> List.of(new CompletableFuture<>()),
        "complete",
        "state",
        Future.State.SUCCESS);
  }

  @CrashTest
  void p2OrderedByAllOfSomeFutures(CrashExplorer<Region> explorer) {
    exchange(
        explorer,
        () -> {
          CompletableFuture<String> first = new CompletableFuture<>();
          return List.of(first, CompletableFuture.allOf(first));
        },
        "complete",
        "join",
        null);
  }

  @CrashTest
  void p2OrderedByAStage(CrashExplorer<Region> explorer) {
    exchange(
        explorer,
        () -> {
          CompletableFuture<String> first = new CompletableFuture<>();
          return List.of(first, first.thenApply(String::length).thenApply(Object::toString));
        },
        "complete",
        "get",
        "6");
  }

  @CrashTest
  void p2OrderedByAVector(CrashExplorer<Region> explorer) {
    exchange(explorer, () -> List.of(new Vector<>()), "addElement", "firstElement", "element");
  }

  @CrashTest
  void p2OrderedByAHashtable(CrashExplorer<Region> explorer) {
    exchange(explorer, () -> List.of(new Hashtable<>()), "put", "get", "value");
  }

  @CrashTest
  void p2OrderedByASynchronizedList(CrashExplorer<Region> explorer) {
    exchange(
        explorer,
        () -> List.of(Collections.synchronizedList(new ArrayList<>())),
        "addTo",
        "firstOf",
        "element");
  }

  @CrashTest
  void p2OrderedByASynchronizedSet(CrashExplorer<Region> explorer) {
    exchange(
        explorer,
        () -> List.of(Collections.synchronizedSet(new HashSet<>())),
        "addTo",
        "isEmpty",
        false);
  }

  @CrashTest
  void p2OrderedByASynchronizedMap(CrashExplorer<Region> explorer) {
    exchange(
        explorer,
        () -> List.of(Collections.synchronizedMap(new HashMap<>())),
        "putInto",
        "getFrom",
        "value");
  }

  @CrashTest
  void p2OrderedByTheMonitorOfASynchronizedMap(CrashExplorer<Region> explorer) {
    exchange(
        explorer,
        () -> List.of(Collections.synchronizedMap(new TreeMap<>())),
        "putInto",
        "getLocked",
        "value");
  }

  @CrashTest
  void p2OrderedByAReferenceToASynchronizedMap(CrashExplorer<Region> explorer) {
    exchange(
        explorer,
        () -> List.of(Collections.synchronizedSortedMap(new TreeMap<>())),
        "putByReference",
        "getFrom",
        "value");
  }

  @CrashTest
  void p2OrderedByAVectorThatIsDeclaredAsAList(CrashExplorer<Region> explorer) {
    exchange(explorer, () -> List.of(new Vector<>()), "addTo", "firstOf", "element");
  }

  @CrashTest
  void p2OrderedByAHashtableThatIsDeclaredAsAMap(CrashExplorer<Region> explorer) {
    exchange(explorer, () -> List.of(new Hashtable<>()), "putInto", "getFrom", "value");
  }

  @CrashTest
  void p2OrderedByAConcurrentMapThatIsDeclaredAsAMap(CrashExplorer<Region> explorer) {
    exchange(explorer, () -> List.of(new ConcurrentHashMap<>()), "putInto", "getFrom", "value");
  }

  @CrashTest
  void p2OrderedByAConcurrentQueueThatIsDeclaredAsAQueue(CrashExplorer<Region> explorer) {
    exchange(
        explorer, () -> List.of(new ConcurrentLinkedQueue<>()), "addTo", "pollFrom", "element");
  }

  @CrashTest
  void p2OrderedByAListThatIsCopiedOnWrite(CrashExplorer<Region> explorer) {
    exchange(explorer, () -> List.of(new CopyOnWriteArrayList<>()), "addTo", "firstOf", "element");
  }

  @CrashTest
  void p2OrderedByAKeySetThatIsDeclaredAsASet(CrashExplorer<Region> explorer) {
    exchange(explorer, () -> List.of(ConcurrentHashMap.newKeySet()), "addTo", "isEmpty", false);
  }

  @CrashTest
  void p2OrderedByAStringBuffer(CrashExplorer<Region> explorer) {
    exchange(explorer, () -> List.of(new StringBuffer()), "append", "toString", "ab");
  }

  @CrashTest
  void p2OrderedByAPipe(CrashExplorer<Region> explorer) {
    exchange(
        explorer,
        () -> {
          PipedOutputStream out = new PipedOutputStream();
          return List.of(out, new PipedInputStream(out));
        },
        "write",
        "read",
        1);
  }

  /// A thread is a channel of its own for who starts, interrupts and joins it.
  @CrashTest
  void p2OrderedByAVolatileFieldOfAThread(CrashExplorer<Region> explorer) {
    exchange(explorer, () -> List.of(CALLS.call("worker")), "ask", "isAsked", true);
  }

  @CrashTest
  void p2OrderedByAMapThatIsReduced(CrashExplorer<Region> explorer) {
    exchange(explorer, () -> List.of(new ConcurrentHashMap<>()), "putInto", "reduced", 5);
  }

  @CrashTest
  void p2OrderedByAMapThatIsDescribed(CrashExplorer<Region> explorer) {
    exchange(
        explorer, () -> List.of(new ConcurrentHashMap<>()), "putInto", "described", "{key=value}");
  }

  @CrashTest
  void p2OrderedByAMapThatIsCompared(CrashExplorer<Region> explorer) {
    exchange(explorer, () -> List.of(new ConcurrentHashMap<>()), "putInto", "equalsIt", true);
  }

  @CrashTest
  void p2OrderedByAViewThatIsMade(CrashExplorer<Region> explorer) {
    exchange(
        explorer,
        () -> List.of(new ConcurrentSkipListMap<>()),
        "putInto",
        "firstKeyOfAView",
        "key");
  }

  @CrashTest
  void p2OrderedByAListThatIsSearchedFromItsEnd(CrashExplorer<Region> explorer) {
    exchange(explorer, () -> List.of(new CopyOnWriteArrayList<>()), "addTo", "lastIndexOf", 0);
  }

  @CrashTest
  void p2OrderedByAForkJoinTaskThatIsCompleted(CrashExplorer<Region> explorer) {
    exchange(
        explorer,
        () -> List.of(ForkJoinTask.adapt(() -> "none")),
        "completes",
        "rawResult",
        "result");
  }

  @CrashTest
  void p2OrderedByASynchronizersLongState(CrashExplorer<Region> explorer) {
    exchange(explorer, () -> List.of(CALLS.call("flag")), "set", "get", 1L);
  }

  @CrashTest
  void p2OrderedByAFieldThatAConstructorAssignsFirst(CrashExplorer<Region> explorer) {
    exchange(explorer, () -> List.of(CALLS.call("board")), "construct", "noted", "written");
  }
}
