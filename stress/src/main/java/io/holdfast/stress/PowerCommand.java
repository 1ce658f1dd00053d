package io.holdfast.stress;

import io.holdfast.core.Durability;
import io.holdfast.stress.power.PowerLoop;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Cuts of the power on the command line. Exit code 0 if every store was as it must be, 1 if one
/// was not, 2 for wrong usage.
@Command(
    name = "power",
    mixinStandardHelpOptions = true,
    description = {
      "Has processes change stores on a disk, cuts the power at random calls of what they had the"
          + " disk do, and opens what that leaves: what was durable, and of what was written since,"
          + " any sectors.",
      "A store that is not as it must be stays where it is."
    })
final class PowerCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--cuts",
      paramLabel = "N",
      defaultValue = "200",
      description = "cuts of the power (default: ${DEFAULT-VALUE})")
  private int cuts;

  @Option(
      names = "--each",
      paramLabel = "N",
      defaultValue = "100",
      description = "cuts for each process (default: ${DEFAULT-VALUE})")
  private int each;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "3",
      description = "threads of each process (default: ${DEFAULT-VALUE})")
  private int threads;

  @Option(
      names = "--steps",
      paramLabel = "N",
      defaultValue = "300",
      description = "transactions of each thread (default: ${DEFAULT-VALUE})")
  private int steps;

  @Option(names = "--seed", paramLabel = "N", description = "repeats the random choices of a run")
  private Long seed;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (cuts < 1 || each < 1 || threads < 1 || steps < 1) {
      throw new ParameterException(spec.commandLine(), "all numbers are at least 1");
    }
    long chosen = seed == null ? new SplittableRandom().nextLong(1_000_000) : seed;
    PrintWriter out = spec.commandLine().getOut();
    out.println("seed " + chosen);
    Scratch scratch = new Scratch("holdfast-power-");
    PowerLoop loop = new PowerLoop(scratch.directory(), threads, chosen);
    int processes = 0;
    for (int left = cuts; left > 0; left -= each) {
      loop.run(
          Math.min(left, each),
          steps,
          processes++ % 3 == 2 ? Durability.PROCESS_CRASH : Durability.POWER_FAILURE);
    }
    boolean isSound = loop.violations().isEmpty();
    if (isSound) {
      scratch.delete();
    } else {
      loop.violations().forEach(out::println);
    }
    out.printf(
        "%d cuts of %d processes, at %s; %d steps told safe; %d violations%n",
        cuts,
        processes,
        loop.struck().entrySet().stream()
            .map(struck -> struck.getKey() + " " + struck.getValue())
            .collect(Collectors.joining(", ")),
        loop.told(),
        loop.violations().size());
    out.flush();
    return isSound ? 0 : 1;
  }
}
