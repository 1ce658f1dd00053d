package io.holdfast.stress;

import io.holdfast.stress.kill.Violation;
import io.holdfast.stress.soak.Round;
import io.holdfast.stress.soak.Soak;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The soak on the command line. Exit code 0 if nothing was lost and nothing has grown.
@Command(
    name = "soak",
    mixinStandardHelpOptions = true,
    description =
        "Moves tokens between collections for long, and looks whether any is lost and anything"
            + " grows.")
final class SoakCommand implements Callable<Integer> {
  /// Until the file is as long as it has to be, and what is loaded late is loaded.
  private static final int SETTLING_ROUNDS = 3;

  private static final int ROUNDS = 12;

  @Spec private CommandSpec spec;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "60",
      description = "for all rounds together, of which there are 12 (default: ${DEFAULT-VALUE})")
  private int seconds;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "3",
      description = "at a time (default: ${DEFAULT-VALUE})")
  private int threads;

  @Option(names = "--seed", paramLabel = "N", description = "repeats the random choices of a run")
  private Long seed;

  @Override
  public Integer call() throws InterruptedException {
    if (seconds < 1 || threads < 1) {
      throw new ParameterException(
          spec.commandLine(),
          "--seconds and --threads are at least 1: " + seconds + ", " + threads);
    }
    long chosen = seed == null ? new SplittableRandom().nextLong(1_000_000) : seed;
    Scratch scratch = new Scratch("holdfast-soak-");
    PrintWriter out = spec.commandLine().getOut();
    String problem = "";
    long moves = 0;
    try {
      Soak soak = new Soak(scratch.directory().resolve("soak.hf"), threads, chosen);
      Round settled = null;
      for (int i = 0; i < ROUNDS && problem.isEmpty(); i++) {
        Round round = soak.round(Duration.ofMillis(seconds * 1_000L / ROUNDS));
        moves += round.moves();
        out.printf(
            "round %2d: %9d moves, file %9d bytes, heap %9d bytes, %d threads%n",
            i + 1, round.moves(), round.fileBytes(), round.heapBytes(), round.threads());
        settled = i < SETTLING_ROUNDS ? round : settled;
        problem = round.growthSince(settled);
      }
    } catch (Violation e) {
      problem = e.getMessage();
    }
    if (problem.isEmpty()) {
      scratch.delete();
      out.printf("%d moves, nothing lost, nothing grown%n", moves);
      return 0;
    }
    out.printf(
        "%s; the store stays: %s; reproduce: ./holdfast stress soak --seconds %d --threads %d"
            + " --seed %d%n",
        problem, scratch.directory(), seconds, threads, chosen);
    return 1;
  }
}
