package io.holdfast.stress.faults;

import java.nio.file.Path;

/// Runs a test class of this build in its long form, in a JVM of its own, on code that is as it is.
public final class TestRun {
  /// Beyond any run of Lincheck on a loaded machine: what takes longer hangs.
  private static final long PATIENCE_MILLIS = 1_200_000;

  /// @param directory for what it writes to its standard error
  /// @return why it failed; empty if it passed
  public static String of(Path directory, String className) throws InterruptedException {
    try (TrialJvm jvm = TrialJvm.start(CodeUnderTrial.find(), null, directory, null)) {
      return jvm.run(null, className, PATIENCE_MILLIS).why();
    }
  }

  private TestRun() {}
}
