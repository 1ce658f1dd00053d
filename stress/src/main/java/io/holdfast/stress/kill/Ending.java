package io.holdfast.stress.kill;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Set;
import java.util.random.RandomGenerator;

/// How a worker's JVM is ended. The exit code of a process that a signal ended is 128 and the
/// signal's number; with 3 the JVM exits for want of memory.
public enum Ending {
  /// At once, by the kernel.
  KILL("KILL", Set.of(128 + 9)),
  /// By a fatal error, as a bug of the JVM would: its handler stops the threads somewhere, writes
  /// its report, and exits with 1, for it is told to leave no core dump. A JVM that has no handler
  /// yet is ended by the signal itself.
  FATAL_ERROR("SEGV", Set.of(1, 128 + 11)),
  /// By an `OutOfMemoryError` that nobody catches, since the JVM is told to exit at the first one:
  /// wherever the others are, and after they have run for some tenths of a second with a full heap.
  OUT_OF_MEMORY(null, Set.of(3)),
  /// By `Runtime.halt`, at the end of an orderly shutdown, which waits for none of the workers.
  HALT("TERM", Set.of(128 + 15));

  /// Of ten endings, so many are no kills: each of them takes some tenths of a second longer.
  private static final int OTHERS_OF_10 = 2;

  private final String signal;
  private final Set<Integer> exitCodes;

  Ending(String signal, Set<Integer> exitCodes) {
    this.signal = signal;
    this.exitCodes = exitCodes;
  }

  /// Draws one: a kill as a rule.
  static Ending draw(RandomGenerator random) {
    if (random.nextInt(10) >= OTHERS_OF_10) {
      return KILL;
    }
    return values()[1 + random.nextInt(values().length - 1)];
  }

  /// Whether a process with this exit code was ended so.
  boolean explains(int exitCode) {
    return exitCodes.contains(exitCode);
  }

  /// Whether the JVM says something of it where its messages go.
  boolean isReported() {
    return this == FATAL_ERROR || this == OUT_OF_MEMORY;
  }

  /// Ends a process, and does not wait for its end.
  void strike(Process process) throws InterruptedException {
    if (this == OUT_OF_MEMORY) {
      try {
        process.getOutputStream().write(WorkerMain.USE_UP_MEMORY);
        process.getOutputStream().flush();
      } catch (IOException _) {
        // It has ended by itself, as its exit code tells.
      }
      return;
    }
    if (this == KILL) {
      // Not Process.destroyForcibly: that also closes the pipe, and acknowledgements in it were
      // lost.
      process.toHandle().destroyForcibly();
      return;
    }
    try {
      new ProcessBuilder("kill", "-" + signal, "" + process.pid()).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException("no signal can be sent: is there a program 'kill'?", e);
    }
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
