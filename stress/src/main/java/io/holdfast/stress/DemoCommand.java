package io.holdfast.stress;

import io.holdfast.stress.demo.Demo;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// The demo on the command line. Exit code 0 only if every line came out once and in order.
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = {
      "Feeds the lines of a text file through two persistent queues, again and again, while the"
          + " worker JVM is killed with SIGKILL at random moments: half of the kills with sections"
          + " by Holdfast.atomically, half with plain synchronized code under the agent.",
      "Exits with 0 only if no line was lost, duplicated or out of order."
    })
final class DemoCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "FILE",
      arity = "0..1",
      description = "a text file (default: the Apache License)")
  private Path file;

  @Option(
      names = "--kills",
      paramLabel = "N",
      defaultValue = "20",
      description = "how often the worker is killed, at least 2 (default: ${DEFAULT-VALUE})")
  private int kills;

  @Option(names = "--seed", paramLabel = "N", description = "repeats the random choices of a run")
  private Long seed;

  @Override
  public Integer call() throws InterruptedException {
    if (kills < 2) {
      throw new ParameterException(spec.commandLine(), "--kills is at least 2: " + kills);
    }
    Demo demo;
    try {
      demo =
          new Demo(file, kills, seed == null ? new SplittableRandom().nextLong(1_000_000) : seed);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    PrintWriter out = spec.commandLine().getOut();
    Scratch scratch = new Scratch("holdfast-demo-");
    out.println(demo.announcement());
    try (Progress progress = Progress.of("kills", kills)) {
      demo.run(scratch.directory(), progress::step);
    }
    out.println(demo.report());
    if (!demo.isRight()) {
      out.println("The stores stay: " + scratch.directory());
      return 1;
    }
    scratch.delete();
    return 0;
  }
}
