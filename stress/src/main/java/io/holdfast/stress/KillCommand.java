package io.holdfast.stress;

import io.holdfast.stress.kill.Ending;
import io.holdfast.stress.kill.KillLoop;
import io.holdfast.stress.kill.KillTally;
import io.holdfast.stress.kill.Strike;
import io.holdfast.stress.kill.Violation;
import io.holdfast.stress.kill.WorkerFailedException;
import io.holdfast.stress.workload.Workloads;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// The kill loops on the command line. Exit code 0 if every store was as it must be, 1 if one was
/// not, 2 for wrong usage.
@Command(
    name = "kill",
    mixinStandardHelpOptions = true,
    description = {
      "Kills worker JVMs with SIGKILL at random moments, opens what they leave, and compares it"
          + " with what they had acknowledged.",
      "A store that is not as it must be stays where it is."
    })
final class KillCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--kills",
      paramLabel = "N",
      defaultValue = "50",
      description = "kills for each workload (default: ${DEFAULT-VALUE})")
  private int kills;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "4",
      description = "threads of each worker (default: ${DEFAULT-VALUE})")
  private int threads;

  @Option(names = "--seed", paramLabel = "N", description = "repeats the random choices of a run")
  private Long seed;

  @Parameters(
      paramLabel = "WORKLOAD",
      arity = "0..*",
      completionCandidates = Names.class,
      description = "what the workers do (default: all): ${COMPLETION-CANDIDATES}")
  private List<String> names = Workloads.names();

  private final List<KillTally> tallies = new ArrayList<>();

  /// The workloads, for the help.
  static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Workloads.names().iterator();
    }
  }

  @Override
  public Integer call() throws InterruptedException {
    if (kills < 1 || threads < 1) {
      throw new ParameterException(
          spec.commandLine(), "--kills and --threads are at least 1: " + kills + ", " + threads);
    }
    for (String name : names) {
      if (!Workloads.names().contains(name)) {
        throw new ParameterException(
            spec.commandLine(),
            "no such workload: name=%s, allowed=%s".formatted(name, Workloads.names()));
      }
    }
    long chosen = seed == null ? new SplittableRandom().nextLong(1_000_000) : seed;
    int exitCode = 0;
    out()
        .println(
            row(
                "workload",
                "kills",
                "checks",
                "promises",
                "kept",
                "undone",
                "recovery: median",
                "max",
                "struck"));
    long before = System.nanoTime();
    for (String name : names) {
      if (!run(name, chosen)) {
        exitCode = 1;
      }
    }
    double minutes = (System.nanoTime() - before) / 60e9;
    int all = tallies.stream().mapToInt(KillTally::kills).sum();
    out()
        .printf(
            "%d kills, %.0f a minute; %s; never struck: %s%n",
            all, all / minutes, exitCode == 0 ? "no violation" : "VIOLATED", neverStruck());
    return exitCode;
  }

  /// What a loop of any length would show nothing of.
  private String neverStruck() {
    String never =
        Stream.of(Strike.values())
            .filter(strike -> tallies.stream().allMatch(tally -> tally.kills(strike) == 0))
            .map(Strike::toString)
            .collect(Collectors.joining(", "));
    return never.isEmpty() ? "nothing" : never;
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  private static String row(Object... cells) {
    return "%-13s %6s %7s %9s %6s %7s %17s %9s   %s".formatted(cells);
  }

  private boolean run(String name, long chosen) throws InterruptedException {
    Scratch scratch = new Scratch("holdfast-kill-");
    KillLoop loop =
        new KillLoop(Workloads.named(name), scratch.directory(), threads, chosen, Map.of());
    tallies.add(loop.tally());
    try (Progress progress = Progress.of(name, kills)) {
      for (int i = 0; i < kills; i++) {
        loop.cycle();
        progress.step();
      }
      loop.check();
    } catch (Violation | WorkerFailedException e) {
      out().println(tell(name, loop.tally()));
      out()
          .printf(
              "%s%n  %s%n  after %d kills; the store stays: %s%n  reproduce: ./holdfast stress kill"
                  + " %s --kills %d --threads %d --seed %d%n",
              name,
              e.getMessage(),
              loop.tally().kills(),
              loop.region(),
              name,
              kills,
              threads,
              chosen);
      return false;
    }
    out().println(tell(name, loop.tally()));
    scratch.delete();
    return true;
  }

  private static String tell(String name, KillTally tally) {
    Stream<String> strikes =
        Stream.of(Strike.values())
            .filter(strike -> tally.kills(strike) > 0)
            .map(strike -> strike + " " + tally.kills(strike));
    Stream<String> endings =
        Stream.of(Ending.FATAL_ERROR, Ending.HALT)
            .filter(ending -> tally.kills(ending) > 0)
            .map(ending -> "by " + ending + " " + tally.kills(ending));
    String struck = Stream.concat(strikes, endings).collect(Collectors.joining(", "));
    return row(
        name,
        tally.kills(),
        tally.checks(),
        tally.acknowledgements(),
        tally.sectionsKept(),
        tally.sectionsUndone(),
        Milliseconds.of(tally.recoveryMedian()),
        Milliseconds.of(tally.recoveryMax()),
        struck);
  }
}
