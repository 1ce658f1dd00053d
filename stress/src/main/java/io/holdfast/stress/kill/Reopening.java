package io.holdfast.stress.kill;

import io.holdfast.Holdfast;
import io.holdfast.core.HoldfastException;
import io.holdfast.core.RecoveryReport;
import io.holdfast.recovery.Progress;
import io.holdfast.recovery.Verification;
import io.holdfast.recovery.VerifyReport;
import java.nio.file.Path;
import java.util.function.Consumer;

/// How the parent looks at a store after a kill.
public final class Reopening {
  /// Proves a store sound as the kill left it, or recoverable, without changing it.
  ///
  /// @throws Violation naming what is damaged; also if the store can't be verified
  static void verify(Path region) {
    VerifyReport report;
    try {
      report = Verification.verify(region, Reopening.class.getClassLoader(), Progress.NONE);
    } catch (HoldfastException e) {
      throw new Violation(e, "P7 opens: what a kill left can't be verified: %s", e);
    }
    Violation.unless(
        report.verdict() != VerifyReport.Verdict.DAMAGED,
        "P7 opens: what a kill left is damaged: %s %s",
        report.summary(),
        report.faults());
  }

  /// Opens a store, lets something look at it, and closes it.
  ///
  /// @throws Violation if the look finds one, or if opening or looking fails in any other way: a
  ///   store that a kill left opens by itself (P7), so that is a finding and no accident
  public static RecoveryReport of(Path region, Consumer<Holdfast> look) {
    return of(region, Survived.PROCESS_CRASH, look);
  }

  /// The same, opened for something else; on a disk both before the look and after it (QUIET-1).
  static RecoveryReport of(Path region, Survived survives, Consumer<Holdfast> look) {
    try (Holdfast store = Holdfast.open(region, survives.options())) {
      survives.checkQuiet(store);
      look.accept(store);
      survives.checkQuiet(store);
      return store.recovery();
    } catch (Violation e) {
      throw e;
    } catch (RuntimeException | InternalError e) { // a page that is missing is an InternalError
      throw new Violation(e, "P7 opens: what a kill left can't be opened and read: %s", e);
    }
  }

  private Reopening() {}
}
