package io.holdfast.agent;

import static io.holdfast.agent.Litmus.LOADER;
import static io.holdfast.agent.Litmus.LOCKS;
import static io.holdfast.agent.Litmus.ordered;

import io.holdfast.core.region.Region;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.CrashTest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// Litmus tests of what one thread does to another: each way to start one, and to interrupt it.
class WovenThreadsCrashTest {
  private static final Woven STARTS = new Woven(LOADER, "com.acme.Starts");
  private static final Lock INNER = new ReentrantLock();
  private static final Woven SHARED = new Woven(LOADER, "com.acme.HandOvers");

  /// A starts a thread inside of its section, and that one tells B that it has run.
  private static void started(CrashExplorer<Region> explorer, Consumer<Runnable> start) {
    CountDownLatch[] latch = {null};
    ordered(
        explorer,
        _ -> {
          latch[0] = new CountDownLatch(1);
          start.accept(() -> SHARED.call("countDown", latch[0]));
        },
        _ -> SHARED.call("await", latch[0]));
  }

  @CrashTest
  void p2OrderedByAVirtualThread(CrashExplorer<Region> explorer) {
    started(explorer, task -> STARTS.call("virtual", task));
  }

  @CrashTest
  void p2OrderedByABuilderOfVirtualThreads(CrashExplorer<Region> explorer) {
    started(explorer, task -> STARTS.call("ofVirtual", task));
  }

  @CrashTest
  void p2OrderedByABuilderOfPlatformThreads(CrashExplorer<Region> explorer) {
    started(explorer, task -> STARTS.call("ofPlatform", task));
  }

  @CrashTest
  void p2OrderedByAnyBuilder(CrashExplorer<Region> explorer) {
    started(explorer, task -> STARTS.call("byBuilder", Thread.ofPlatform(), task));
  }

  @CrashTest
  void p2OrderedByAThreadThatIsUnstartedFirst(CrashExplorer<Region> explorer) {
    started(explorer, task -> STARTS.call("unstarted", task));
  }

  @CrashTest
  void p2OrderedByAThreadOfAFactory(CrashExplorer<Region> explorer) {
    started(explorer, task -> STARTS.call("byFactory", task));
  }

  @CrashTest
  void p2OrderedByAStartByReference(CrashExplorer<Region> explorer) {
    started(explorer, task -> STARTS.call("byReference", task));
  }

  @CrashTest
  void p2OrderedByAReferenceToABuilder(CrashExplorer<Region> explorer) {
    started(explorer, task -> STARTS.call("byReferenceToABuilder", task));
  }

  /// A interrupts a thread, and B learns from that one that it knows.
  ///
  /// @param isInterrupted asked by the thread until it is
  private static void interrupted(CrashExplorer<Region> explorer, BooleanSupplier isInterrupted) {
    Thread[] thread = {null};
    CountDownLatch[] latch = {null};
    CountDownLatch[] running = {null};
    Runnable learning =
        () -> {
          LOCKS.call("block", INNER, (Runnable) () -> {}); // else it learns from its start
          running[0].countDown();
          while (!isInterrupted.getAsBoolean()) {
            Thread.onSpinWait();
          }
          SHARED.call("countDown", latch[0]);
        };
    explorer.step(
        "a thread is there",
        _ -> {
          latch[0] = new CountDownLatch(1);
          running[0] = new CountDownLatch(1);
          thread[0] = Thread.ofPlatform().start(learning);
          running[0].await();
        });
    ordered(
        explorer, _ -> STARTS.call("interrupt", thread[0]), _ -> SHARED.call("await", latch[0]), 7);
  }

  @CrashTest
  void p2OrderedByAnInterrupt(CrashExplorer<Region> explorer) {
    interrupted(explorer, () -> (boolean) STARTS.call("interrupted"));
  }

  @CrashTest
  void p2OrderedByAnInterruptThatAReferenceSees(CrashExplorer<Region> explorer) {
    interrupted(explorer, () -> (boolean) STARTS.call("interruptedByReference"));
  }

  @CrashTest
  void p2OrderedByAnInterruptThatStays(CrashExplorer<Region> explorer) {
    interrupted(explorer, () -> (boolean) STARTS.call("isInterrupted", Thread.currentThread()));
  }

  @CrashTest
  void p2OrderedByAnInterruptThatEndsAWaitForAResult(CrashExplorer<Region> explorer) {
    CompletableFuture<String> never = new CompletableFuture<>();
    interrupted(explorer, () -> (boolean) STARTS.call("isInterruptedInItsGet", never));
  }

  @CrashTest
  void p2OrderedByAnInterruptThatIsCaught(CrashExplorer<Region> explorer) {
    interrupted(explorer, () -> (boolean) STARTS.call("isInterruptedInItsSleep"));
  }
}
