package io.holdfast.jmh;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.util.Statistics;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Runs benchmarks, and prints what they took and what that is beside their floors and peers.
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description =
        "Runs the benchmarks and prints their times and ratios. All other JMH options are"
            + " as the benchmarks have them.")
public final class Bench implements Callable<Integer> {
  private static final String PEER = "net/openhft/chronicle/queue/ChronicleQueue.class";
  private static final TimeValue HALF_A_SECOND = TimeValue.milliseconds(500);

  @Option(names = "--quick", description = "one fork and half-second iterations: for a first look")
  private boolean quick;

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
    ChainedOptionsBuilder options = new OptionsBuilder().shouldFailOnError(true);
    names.forEach(options::include);
    if (quick) {
      options
          .forks(1)
          .warmupIterations(4)
          .warmupTime(HALF_A_SECOND)
          .measurementIterations(6)
          .measurementTime(HALF_A_SECOND);
    }
    report(new Runner(options.build()).run(), new PrintWriter(System.out, true));
    return 0;
  }

  /// By medians of the iterations: what else runs on the machine lengthens some of them, to many
  /// times what they are.
  private static void report(Collection<RunResult> results, PrintWriter out) {
    Map<String, Statistics> times = new TreeMap<>();
    for (RunResult result : results) {
      times.put(
          shortName(result.getParams().getBenchmark()), result.getPrimaryResult().getStatistics());
    }
    out.printf("%n%s%n%n%-46s %9s %19s%n", machine(), "ns per operation", "median", "half between");
    times.forEach(
        (name, time) ->
            out.printf(
                "%-46s %9.1f %9.1f %9.1f%n",
                name, median(time), time.getPercentile(25), time.getPercentile(75)));
    out.printf("%n%-38s %-46s %7s %8s%n", "time of", "divided by that of", "ratio", "at most");
    for (Target target : Target.ALL) {
      if (times.containsKey(target.subject()) && times.containsKey(target.baseline())) {
        double ratio = median(times.get(target.subject())) / median(times.get(target.baseline()));
        out.printf(
            "%-38s %-46s %7.2f %8s %s%n",
            target.subject(),
            target.baseline(),
            ratio,
            Double.isNaN(target.most()) ? "" : "%.2f".formatted(target.most()),
            target.verdict(ratio));
      }
    }
    if (ClassLoader.getSystemResource(PEER) == null) {
      out.printf("%nWithout peers: build with -Ppeers, as ./holdfast bench does.%n");
    }
  }

  private static double median(Statistics time) {
    return time.getPercentile(50);
  }

  private static String shortName(String benchmark) {
    return benchmark.substring(Bench.class.getPackageName().length() + 1);
  }

  private static String machine() {
    return "%s, %d processors; %s %s"
        .formatted(
            processor(),
            Runtime.getRuntime().availableProcessors(),
            System.getProperty("java.vm.name"),
            System.getProperty("java.vm.version"));
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
