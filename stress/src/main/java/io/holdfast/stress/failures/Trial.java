package io.holdfast.stress.failures;

import io.holdfast.Holdfast;
import io.holdfast.core.HoldfastException;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.recovery.Progress;
import io.holdfast.recovery.Verification;
import io.holdfast.recovery.VerifyReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// An operation of which the N-th place fails, and what must hold after it:
///
/// 1. What is thrown is what was injected, or Holdfast's own and says why.
/// 2. Nobody waits for ever: not the operation, not the next thread that uses the store.
/// 3. Each step was done or was not, and the sizes agree.
/// 4. The store goes on, or each call says why it does not.
/// 5. What a kill would leave now is sound or recoverable, and opens; what was acknowledged is
///    there, and of a section all or nothing (P1, P6, P7).
/// 6. Its thread is in no section after that, of this store or another (LEVEL-2).
/// 7. The store closes, and the file that it leaves holds the same.
final class Trial {
  private static final int TURN_MILLIS = 100;

  /// 20 s: long enough for a machine with ten times as many threads as cores.
  private static final int TURNS = 200;

  /// 2 s in one and the same place, without a limit to the waiting.
  private static final int TURNS_PARKED = 20;

  /// How an operation ended.
  enum Outcome {
    /// The operation has fewer places than N.
    OVER,
    DONE,
    NOT_DONE,
    /// The store takes no more changes, and says so.
    LATCHED
  }

  private final Scene scene;
  private final Survival survival;
  private final List<Snapshot> expected;
  private final Path template;
  private final Path directory;

  /// @param expected what is in the store after each step
  /// @param template a file in which what is given is
  Trial(Scene scene, Survival survival, List<Snapshot> expected, Path template, Path directory) {
    this.scene = scene;
    this.survival = survival;
    this.expected = expected;
    this.template = template;
    this.directory = directory;
  }

  /// @throws Violation if a promise was broken
  Outcome of(Injection injection, long n, boolean virtual) throws IOException {
    // A store that hangs keeps its file.
    Path file = directory.resolve("store-%s-%d-%s".formatted(injection, n, virtual));
    Path killed = file.resolveSibling(file.getFileName() + "-killed");
    if (Files.exists(template)) {
      FileCopy.makeOfStore(template, file);
    }
    Stage stage = new Stage(file, survival, () -> {});
    try {
      Outcome outcome = of(stage, killed, injection, n, virtual);
      stage.clear();
      Stage.clear(killed);
      return outcome;
    } catch (Violation e) {
      Thread.ofPlatform().daemon().start(new FutureTask<>(asRefusal(() -> close(stage))));
      throw e;
    }
  }

  private Outcome of(Stage stage, Path killed, Injection injection, long n, boolean virtual)
      throws IOException {
    if (!scene.opens()) {
      stage.open();
    }
    Attempt attempt = new Attempt(stage, injection, n);
    inThread("the operation", virtual, attempt);
    if (attempt.first == null && attempt.thrown == null) {
      close(stage);
      return Outcome.OVER;
    }
    if (attempt.thrown instanceof Violation violation) {
      throw violation;
    }
    checkThrown("the operation", attempt.thrown);
    Use use = stage.queue == null ? Use.NONE : useOn(stage, injection, !virtual);
    checkKilled(stage, killed, use);
    checkClosed(stage, use);
    if (use.refusal != null) {
      return Outcome.LATCHED;
    }
    return attempt.thrown == null ? Outcome.DONE : Outcome.NOT_DONE;
  }

  /// What came of using the store after the operation.
  ///
  /// @param refusal what was thrown; `null` if nothing was
  /// @param live what the store held; `null` if it had been latched, or a section stays open
  /// @param isDone whether the store was changed, and that was acknowledged
  private record Use(Throwable refusal, Snapshot live, boolean isDone) {
    /// Of a store that did not open.
    static final Use NONE = new Use(null, null, false);
  }

  /// Uses the store, as the next thread would, and looks at what it holds.
  private Use useOn(Stage stage, Injection injection, boolean virtual) {
    Throwable refusal = inThread("a later use of the store", virtual, asRefusal(stage::useOn));
    checkThrown("a later use of the store", refusal);
    if (refusal != null || stage.isUntold()) { // a section is open, and what it does half seen
      return new Use(refusal, null, refusal == null);
    }
    Snapshot[] seen = new Snapshot[1];
    refusal =
        inThread("a look at the store", false, asRefusal(() -> seen[0] = Snapshot.of(stage.store)));
    Snapshot live = seen[0];
    // LOCK-6: where the stack really ends, the first to need a lock that was lost is told.
    if (live == null && injection != Injection.STACK) {
      throw new Violation("a look at the store throws " + refusal, refusal);
    }
    checkThrown("a look at the store", refusal);
    if (live != null) {
      checkState("the store", live, stage, false);
    }
    return new Use(refusal, live, true);
  }

  /// Looks at what a kill, and a loss of power, would leave of the store as it is.
  private void checkKilled(Stage stage, Path killed, Use use) throws IOException {
    Path file = stage.file();
    if (!Files.exists(file)) {
      return;
    }
    FileCopy.makeOfStore(file, killed);
    verify("what a kill would leave", killed);
    checkReopened("what a kill would leave", killed, stage, use);
    if (survival == Survival.POWER_FAILURE_ON_DISK || survival.hasLog() && use.isDone) {
      FileCopy.makeOfStore(file, killed);
      Files.deleteIfExists(FileCopy.beside(killed, ".live"));
      checkReopened("what a loss of power would leave", killed, stage, use);
    }
  }

  private void checkClosed(Stage stage, Use use) {
    inThread(
        "closing",
        false,
        () -> {
          close(stage);
          return null;
        });
    if (Files.exists(stage.file()) || scene.opens()) {
      checkReopened("the file that closing leaves", stage.file(), stage, use);
    }
  }

  private static void close(Stage stage) {
    if (stage.store != null) {
      stage.store.close();
    }
  }

  private final class Attempt implements Callable<Void> {
    private final Stage stage;
    private final Injection injection;
    private final long n;
    private Throwable first;
    private Throwable thrown;

    private Attempt(Stage stage, Injection injection, long n) {
      this.stage = stage;
      this.injection = injection;
      this.n = n;
    }

    @Override
    public Void call() throws Exception {
      String victim = scene.victim();
      Trap.arm(victim == null ? Thread.currentThread() : stage.thread(victim), injection, n);
      try {
        scene.operation().on(stage);
      } catch (Throwable e) {
        thrown = e;
      } finally {
        Trap.disarm();
        first = Trap.first();
        asRefusal(stage::giveUpLocks).call();
      }
      if (SectionHooks.inSection() && !stage.isUntold() && staysInSection()) {
        thrown = new Violation("LEVEL-2: its thread stays in a section", thrown);
      }
      return null;
    }
  }

  /// Whether the thread is in a section after an operation on a store that nothing has happened to.
  private boolean staysInSection() throws IOException {
    Path file = directory.resolve("another-" + Thread.currentThread().threadId());
    try (Holdfast another = Holdfast.open(file)) {
      another.queue("queue", String.class).add("element");
    }
    Stage.clear(file);
    return SectionHooks.inSection();
  }

  private static Callable<Throwable> asRefusal(Runnable use) {
    return () -> {
      try {
        use.run();
        return null;
      } catch (Throwable e) {
        return e;
      }
    };
  }

  private <T> T inThread(String what, boolean virtual, Callable<T> action) {
    FutureTask<T> task = new FutureTask<>(action);
    Thread thread =
        virtual ? Thread.ofVirtual().start(task) : Thread.ofPlatform().daemon().start(task);
    try {
      StackTraceElement[] place = {};
      int parked = 0;
      for (int turn = 0; turn < TURNS && parked < TURNS_PARKED; turn++) {
        try {
          return task.get(TURN_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
          StackTraceElement[] now = thread.getStackTrace();
          boolean isThere = thread.getState() == Thread.State.WAITING && Arrays.equals(now, place);
          parked = isThere ? parked + 1 : 0;
          place = now;
        }
      }
      throw new Hang(what, place);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Violation violation) {
        throw violation;
      }
      throw new Violation(what + " throws " + e.getCause(), e.getCause());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void checkThrown(String by, Throwable thrown) {
    boolean isInjected =
        thrown instanceof OutOfMemoryError
            || thrown instanceof StackOverflowError
            || thrown instanceof BootstrapMethodError;
    boolean isOurs =
        thrown instanceof HoldfastException
            && thrown.getMessage() != null
            && thrown.getMessage().contains(directory.toString());
    if (thrown != null && !isInjected && !isOurs) {
      throw new Violation("%s throws what nobody can act upon: %s".formatted(by, thrown), thrown);
    }
  }

  private void checkState(String what, Snapshot found, Stage stage, boolean latched) {
    int at = stage.passed();
    boolean isThere = matches(found, at) || matches(found, at + 1);
    if (latched) {
      isThere |= stage.begun().stream().anyMatch(step -> matches(found, step));
    }
    if (!isThere) {
      throw new Violation(
          "%s is in no state of the operation: steps done=%d, acknowledged=%d, difference to what was done: %s"
              .formatted(what, at, stage.acknowledged(), found.difference(expected.get(at))));
    }
  }

  private boolean matches(Snapshot found, int step) {
    return step < expected.size() && expected.get(step).equals(found);
  }

  private static void verify(String what, Path file) {
    VerifyReport report;
    try {
      report = Verification.verify(file, Trial.class.getClassLoader(), Progress.NONE);
    } catch (HoldfastException e) {
      throw new Violation(what + " can't be verified: " + e, e);
    }
    if (report.verdict() == VerifyReport.Verdict.DAMAGED) {
      throw new Violation(
          "%s is damaged: %s %s".formatted(what, report.summary(), report.faults()));
    }
  }

  private void checkReopened(String what, Path file, Stage tried, Use use) {
    Stage stage = new Stage(file, survival, () -> {});
    try {
      stage.open();
    } catch (RuntimeException | Error e) {
      throw new Violation(what + " can't be opened: " + e, e);
    }
    try {
      Snapshot found = Snapshot.of(stage.store);
      checkState(what, found, tried, use.live == null);
      if (use.live != null && !found.equals(use.live)) {
        throw new Violation(
            "%s is not what the store held: %s".formatted(what, found.difference(use.live)));
      }
      if (use.isDone && !stage.isUsedOn()) {
        throw new Violation(what + " has not what was acknowledged later");
      }
    } finally {
      stage.store.close();
    }
  }
}
