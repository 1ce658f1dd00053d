package io.holdfast.jmh;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Runs benchmarks, and prints what they took and what that is beside their floors and peers.
///
/// In rounds of one fork of each: the machine may be shared, and what runs beside one round of a
/// benchmark runs beside that round of its floor. Three forks of one benchmark and then three of
/// the other would be minutes apart.
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description = "Runs the benchmarks in rounds, and prints their times and ratios.")
public final class Bench implements Callable<Integer> {
  private static final String PEER = "net/openhft/chronicle/queue/ChronicleQueue.class";
  private static final int ROUNDS = 3;
  private static final TimeValue HALF_A_SECOND = TimeValue.milliseconds(500);

  @Option(names = "--quick", description = "one round and half-second iterations: for a first look")
  private boolean quick;

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "NAME",
      description = "part of the name of a benchmark, a regular expression (default: all)")
  private List<String> names = List.of("io.holdfast.jmh");

  private Bench() {}

  /// Runs the command line and exits with its code: 0 done, 1 failure, 2 wrong usage.
  public static void main(String[] args) {
    System.exit(new CommandLine(new Bench()).execute(args));
  }

  @Override
  public Integer call() throws RunnerException {
    ChainedOptionsBuilder options =
        new OptionsBuilder().shouldFailOnError(true).forks(1).addProfiler(GCProfiler.class);
    names.forEach(options::include);
    if (quick) {
      options
          .warmupIterations(4)
          .warmupTime(HALF_A_SECOND)
          .measurementIterations(6)
          .measurementTime(HALF_A_SECOND);
    }
    Report report = new Report();
    int rounds = quick ? 1 : ROUNDS;
    for (int round = 1; round <= rounds; round++) {
      System.out.printf("# Round %d of %d%n", round, rounds);
      try {
        report.add(new Runner(options.build()).run());
      } catch (NoBenchmarksException e) {
        throw new ParameterException(
            spec.commandLine(), "no benchmark has such a name: names=" + names, e);
      }
    }
    PrintWriter out = new PrintWriter(System.out, true);
    out.printf("%n%s%n%n", machine());
    report.print(out);
    if (ClassLoader.getSystemResource(PEER) == null) {
      out.printf("%nChronicle Queue is left out: this was built without the profile peers.%n");
    }
    return 0;
  }

  private static String machine() {
    return "%s, %d processors; %s %s; commit %s"
        .formatted(
            processor(),
            Runtime.getRuntime().availableProcessors(),
            System.getProperty("java.vm.name"),
            System.getProperty("java.vm.version"),
            System.getenv().getOrDefault("HOLDFAST_COMMIT", "unknown"));
  }

  /// The processor's name where Linux tells it.
  private static String processor() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    } catch (IOException _) {
      return System.getProperty("os.arch");
    }
  }
}
