package io.holdfast.agent;

import static io.holdfast.agent.Litmus.LOADER;
import static io.holdfast.agent.Litmus.ordered;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.region.Region;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.CrashTest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;

/// Litmus tests of tasks: one depends on who handed it over, and who gets its result on the task.
class WovenTasksCrashTest {
  private static final Woven TASKS = new Woven(LOADER, "com.acme.Tasks");
  private static final Woven SHARED = new Woven(LOADER, "com.acme.HandOvers");
  private static final Woven EXCHANGES = new Woven(LOADER, "com.acme.Exchanges");
  private static final ThreadFactory DAEMONS = Thread.ofPlatform().daemon().factory();
  private static final ScheduledExecutorService POOL = Executors.newScheduledThreadPool(2, DAEMONS);

  /// Its threads have something open for others' tests, as long as they live.
  @AfterAll
  static void endThePool() {
    POOL.shutdownNow();
  }

  /// A hands over a task inside of its section, and that one tells B that it has run.
  private static void handedOver(CrashExplorer<Region> explorer, Consumer<Runnable> handOver) {
    CountDownLatch[] latch = {null};
    ordered(
        explorer,
        _ -> {
          latch[0] = new CountDownLatch(1);
          handOver.accept(() -> SHARED.call("countDown", latch[0]));
        },
        _ -> SHARED.call("await", latch[0]));
  }

  /// A tells, a task learns, and B gets the task's result.
  private static void got(
      CrashExplorer<Region> explorer, Function<Runnable, Object> run, Object result) {
    CountDownLatch[] latch = {null};
    ordered(
        explorer,
        _ -> {
          latch[0] = new CountDownLatch(1);
          SHARED.call("countDown", latch[0]);
        },
        _ -> assertThat(run.apply(() -> SHARED.call("await", latch[0]))).isEqualTo(result));
  }

  @CrashTest
  void p2OrderedByAnExecutor(CrashExplorer<Region> explorer) {
    handedOver(explorer, act -> TASKS.call("execute", POOL, act));
  }

  @CrashTest
  void p2OrderedByASubmittedTask(CrashExplorer<Region> explorer) {
    handedOver(explorer, act -> TASKS.call("submit", POOL, act));
  }

  @CrashTest
  void p2OrderedByAScheduledTask(CrashExplorer<Region> explorer) {
    handedOver(explorer, act -> TASKS.call("schedule", POOL, act));
  }

  @CrashTest
  void p2OrderedByRunAsync(CrashExplorer<Region> explorer) {
    handedOver(explorer, act -> TASKS.call("runAsync", POOL, act));
  }

  @CrashTest
  void p2OrderedBySupplyAsync(CrashExplorer<Region> explorer) {
    handedOver(explorer, act -> TASKS.call("supplyAsync", POOL, act));
  }

  @CrashTest
  void p2OrderedByAFork(CrashExplorer<Region> explorer) {
    handedOver(explorer, act -> TASKS.call("fork", act));
  }

  @CrashTest
  void p2OrderedByAPublisher(CrashExplorer<Region> explorer) {
    handedOver(
        explorer,
        act -> {
          SubmissionPublisher<String> publisher = new SubmissionPublisher<>(POOL, 4);
          TASKS.call("subscribe", publisher, act);
          TASKS.call("publish", publisher);
        });
  }

  @CrashTest
  void p2OrderedByATaskThatIsWrapped(CrashExplorer<Region> explorer) {
    handedOver(explorer, act -> TASKS.call("wrapped", POOL, act));
  }

  @CrashTest
  void p2OrderedByAMethodReference(CrashExplorer<Region> explorer) {
    handedOver(explorer, act -> TASKS.call("executeReference", POOL, act));
  }

  @CrashTest
  void p2OrderedByACompletionService(CrashExplorer<Region> explorer) {
    handedOver(explorer, act -> TASKS.call("complete", POOL, act));
  }

  @CrashTest
  void p2OrderedByAStage(CrashExplorer<Region> explorer) {
    CompletableFuture<?> future = CompletableFuture.completedFuture("result");
    handedOver(explorer, act -> TASKS.call("thenApplyAsync", future, POOL, act));
  }

  @CrashTest
  void p2OrderedByWhatRunsAStage(CrashExplorer<Region> explorer) {
    handedOver(
        explorer,
        act -> {
          CompletableFuture<String> future = new CompletableFuture<>();
          CompletableFuture.runAsync(() -> TASKS.call("thenApplyAsync", future, POOL, act)).join();
          EXCHANGES.call("complete", future);
        });
  }

  @CrashTest
  void p2OrderedByAStageOfTwo(CrashExplorer<Region> explorer) {
    CompletableFuture<?> future = CompletableFuture.completedFuture("result");
    handedOver(explorer, act -> TASKS.call("thenCombineAsync", future, POOL, act));
  }

  @CrashTest
  void p2OrderedByWhatCompletesAFuture(CrashExplorer<Region> explorer) {
    handedOver(explorer, act -> TASKS.call("completeAsync", POOL, act));
  }

  @CrashTest
  void p2OrderedByAParallelStream(CrashExplorer<Region> explorer) {
    handedOver(explorer, act -> TASKS.call("parallel", elsewhere(act)));
  }

  @CrashTest
  void p2OrderedByForkedTasks(CrashExplorer<Region> explorer) {
    handedOver(explorer, act -> TASKS.call("invokeAllForked", elsewhere(act)));
  }

  @CrashTest
  void p2OrderedByAStructuredScope(CrashExplorer<Region> explorer) {
    handedOver(explorer, act -> Scopes.fork(act));
  }

  /// Runs the act in one thread that is not the caller's, which waits for that.
  private static Runnable elsewhere(Runnable act) {
    Thread caller = Thread.currentThread();
    CountDownLatch done = new CountDownLatch(1);
    return () -> {
      if (Thread.currentThread().equals(caller)) {
        await(done);
      } else if (done.getCount() > 0) {
        act.run();
        done.countDown();
      }
    };
  }

  private static void await(CountDownLatch done) {
    try {
      done.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @CrashTest
  void p2OrderedByTheResultsOfAParallelStream(CrashExplorer<Region> explorer) {
    got(explorer, act -> TASKS.call("parallel", elsewhere(act)), null);
  }

  @CrashTest
  void p2OrderedByTheResultsOfForkedTasks(CrashExplorer<Region> explorer) {
    got(explorer, act -> TASKS.call("invokeAllForked", elsewhere(act)), null);
  }

  @CrashTest
  void p2OrderedByTheResultOfASynchronizedTask(CrashExplorer<Region> explorer) {
    got(explorer, act -> TASKS.call("submitSynchronizedAndGet", POOL, act), "result");
  }

  @CrashTest
  void p2OrderedByAStructuredScopesResult(CrashExplorer<Region> explorer) {
    got(explorer, act -> Scopes.fork(act), null);
  }

  @CrashTest
  void p2OrderedByTheResultOfASubmittedTask(CrashExplorer<Region> explorer) {
    got(explorer, act -> TASKS.call("submitAndGet", POOL, act), "result");
  }

  @CrashTest
  void p2OrderedByWhatACompletionServiceGives(CrashExplorer<Region> explorer) {
    got(explorer, act -> TASKS.call("completeAndTake", POOL, act), null);
  }

  @CrashTest
  void p2OrderedByTheClosingOfAnExecutor(CrashExplorer<Region> explorer) {
    got(explorer, act -> TASKS.call("executeAndClose", act), null);
  }

  @CrashTest
  void p2OrderedByTheEndOfAnExecutor(CrashExplorer<Region> explorer) {
    got(explorer, act -> TASKS.call("executeAndAwaitTheEnd", act), true);
  }

  @CrashTest
  void p2OrderedByAPoolThatIsQuiescent(CrashExplorer<Region> explorer) {
    got(explorer, act -> TASKS.call("executeAndAwaitQuiescence", act), true);
  }

  @CrashTest
  void p2OrderedByInvokeAll(CrashExplorer<Region> explorer) {
    got(explorer, act -> TASKS.call("invokeAll", POOL, act), "result");
  }

  @CrashTest
  void p2OrderedByWhatWasSupplied(CrashExplorer<Region> explorer) {
    got(explorer, act -> TASKS.call("supplyAndJoin", POOL, act), "result");
  }

  @CrashTest
  void p2OrderedByAJoin(CrashExplorer<Region> explorer) {
    got(explorer, act -> TASKS.call("forkAndJoin", act), null);
  }

  @CrashTest
  void p2OrderedByWhatAPoolInvokes(CrashExplorer<Region> explorer) {
    got(explorer, act -> TASKS.call("invoke", ForkJoinPool.commonPool(), act), null);
  }
}
