package io.holdfast.stress;

import io.holdfast.stress.kill.Survived;
import io.holdfast.stress.kill.Violation;
import io.holdfast.stress.soak.Round;
import io.holdfast.stress.soak.Soak;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
        "Moves tokens between collections for long, and looks whether any is lost, anything grows"
            + " or takes longer.")
final class SoakCommand implements Callable<Integer> {
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

  @Option(
      names = "--durability",
      defaultValue = "process-crash",
      converter = KillCommand.Failure.class,
      paramLabel = "FAILURE",
      description =
          "what the store is opened for, as for kill: process-crash, power-failure-on-disk,"
              + " relaxed-on-disk (default: ${DEFAULT-VALUE})")
  private Survived durability;

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
    List<Round> rounds = new ArrayList<>();
    String problem;
    try {
      Soak soak = new Soak(scratch.directory().resolve("soak.hf"), threads, chosen, durability);
      problem =
          soak.run(
              Duration.ofSeconds(seconds),
              round -> {
                rounds.add(round);
                out.printf("round %2d: %s%n", rounds.size(), round);
              });
    } catch (Violation e) {
      problem = e.getMessage();
    }
    if (problem.isEmpty()) {
      scratch.delete();
      long moves = rounds.stream().mapToLong(Round::moves).sum();
      out.printf("%d moves, nothing lost, nothing grown, no drift%n", moves);
      return 0;
    }
    out.printf(
        "%s; the store stays: %s; reproduce: ./holdfast stress soak --seconds %d --threads %d"
            + " --durability %s --seed %d%n",
        problem,
        scratch.directory(),
        seconds,
        threads,
        KillCommand.Failure.told(durability),
        chosen);
    return 1;
  }
}
