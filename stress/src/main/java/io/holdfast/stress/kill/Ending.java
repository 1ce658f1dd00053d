package io.holdfast.stress.kill;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Set;
import java.util.random.RandomGenerator;

/// How a worker's JVM is ended. The exit code of a process that a signal ended is 128 and the
/// signal's number; with 3 the JVM exits for want of memory.
public enum Ending {
  /// At once, by the kernel. Not Process.destroyForcibly: that also closes the pipe, and
  /// acknowledgements in it were lost.
  KILL(Set.of(128 + 9), process -> process.toHandle().destroyForcibly()),
  /// By a fatal error, as a bug of the JVM would: its handler stops the threads somewhere, writes
  /// its report, and exits with 1, for it is told to leave no core dump. A JVM that has no handler
  /// yet is ended by the signal itself.
  FATAL_ERROR(Set.of(1, 128 + 11), process -> send("SEGV", process)),
  /// By an `OutOfMemoryError` that nobody catches, since the JVM is told to exit at the first one:
  /// wherever the others are, and after they have run for some tenths of a second with a full heap.
  OUT_OF_MEMORY(Set.of(3), process -> order(WorkerMain.USE_UP_HEAP, process)),
  /// By the kernel's OOM killer, when some thread asks for a page; where the machine allows it.
  OOM_KILLER(Set.of(128 + 9), Ending::starve),
  /// By `Runtime.halt`, at the end of an orderly shutdown, which waits for none of the workers.
  HALT(Set.of(128 + 15), process -> send("TERM", process));

  private interface Blow {
    void strike(Process process) throws InterruptedException;
  }

  /// A JVM that finds itself about to end in the middle of its start says that it can't start. Seen
  /// in 21 of 1,500 starts of JDK 25.0.3: `InternalError: Bad level`, of VM.initLevel.
  private static final int FAILED_START = 1;

  /// Of ten endings, so many are no kills: each of them takes some tenths of a second longer.
  private static final int OTHERS_OF_10 = 2;

  private final Set<Integer> exitCodes;
  private final Blow blow;

  Ending(Set<Integer> exitCodes, Blow blow) {
    this.exitCodes = exitCodes;
    this.blow = blow;
  }

  /// Draws one: a kill as a rule.
  static Ending draw(RandomGenerator random) {
    if (random.nextInt(10) >= OTHERS_OF_10) {
      return KILL;
    }
    Ending drawn = values()[1 + random.nextInt(values().length - 1)];
    return drawn == OOM_KILLER && !MemoryGroup.isAllowed() ? KILL : drawn;
  }

  /// Whether a process with this exit code was ended so.
  ///
  /// @param stage what it was at
  boolean explains(int exitCode, Stage stage) {
    return exitCodes.contains(exitCode)
        || this == HALT && stage == Stage.STARTING && exitCode == FAILED_START;
  }

  /// Whether the JVM says something of it where its messages go.
  boolean isReported() {
    return this == FATAL_ERROR || this == OUT_OF_MEMORY;
  }

  /// Ends a process; waits for its end only where that shows what ended it.
  void strike(Process process) throws InterruptedException {
    blow.strike(process);
  }

  private static void send(String signal, Process process) throws InterruptedException {
    try {
      new ProcessBuilder("kill", "-" + signal, "" + process.pid()).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException("no signal can be sent: is there a program 'kill'?", e);
    }
  }

  private static void order(int what, Process process) {
    try {
      process.getOutputStream().write(what);
      process.getOutputStream().flush();
    } catch (IOException _) {
      // It has ended by itself, as its exit code tells.
    }
  }

  private static void starve(Process process) throws InterruptedException {
    if (!process.isAlive()) {
      return; // as above
    }
    try (MemoryGroup group = MemoryGroup.of(process)) {
      order(WorkerMain.USE_UP_MEMORY, process);
      process.waitFor();
      if (group.kills() == 0) {
        throw new IllegalStateException(
            "the OOM killer did not end a worker: exit code=" + process.exitValue());
      }
    }
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
