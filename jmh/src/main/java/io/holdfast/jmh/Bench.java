package io.holdfast.jmh;

import io.holdfast.jmh.bench.map.TransferBenchmark;
import io.holdfast.jmh.bench.transaction.TransactionBenchmark;
import io.holdfast.jmh.bench.tree.LevelDbBenchmark;
import io.holdfast.jmh.map.Accounts;
import io.holdfast.jmh.map.Maps;
import io.holdfast.jmh.map.Trees;
import io.holdfast.jmh.queue.Queues;
import io.holdfast.jmh.report.Comparison;
import io.holdfast.jmh.report.Page;
import io.holdfast.jmh.report.Results;
import io.holdfast.jmh.suite.Part;
import io.holdfast.jmh.suite.Suite;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Runs benchmarks, and reports what they took and what that is beside their floors and peers.
///
/// Each suite in rounds of one fork of each benchmark: the machine may be shared, and what runs
/// beside one round of a benchmark runs beside that round of its floor. Three forks of one
/// benchmark and then three of the other would be minutes apart.
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description = "Runs the benchmarks in rounds, and reports their times and ratios.")
public final class Bench implements Callable<Integer> {
  private static final int ROUNDS = 3;

  /// A first look's: 300 and 450 ms of a benchmark that is measured by time.
  private static final TimeValue QUICK_ITERATION = TimeValue.milliseconds(150);

  private static final int QUICK_WARMUPS = 2, QUICK_ITERATIONS = 3;

  private static final DateTimeFormatter FILE_NAME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH-mm-ss").withZone(ZoneOffset.UTC);

  @Option(
      names = "--quick",
      description = "one round of short iterations, and few values of parameters: a first look")
  private boolean quick;

  @Option(
      names = "--targets",
      description = "only what a target is about: a fifth of the processes")
  private boolean targets;

  @Option(
      names = "--results",
      paramLabel = "DIRECTORY",
      defaultValue = "${env:HOLDFAST_RESULTS:-jmh/results}",
      description = "where results and report are written (default: ${DEFAULT-VALUE})")
  private Path directory;

  @Option(
      names = "--against",
      paramLabel = "FILE",
      description = "compares the results with these earlier ones, and says which have moved")
  private Path against;

  @Option(
      names = "--from",
      paramLabel = "FILE",
      description = "runs nothing: reports, or compares, the results of this file")
  private Path from;

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "NAME",
      completionCandidates = SuiteNames.class,
      description =
          "a suite, or a part of a benchmark's name, a regular expression (default: all). Suites:"
              + " ${COMPLETION-CANDIDATES}")
  private List<String> names = List.of();

  /// For the usage.
  static final class SuiteNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Suites.ALL.stream().map(Suite::name).iterator();
    }
  }

  private final Set<String> failed = new TreeSet<>();

  Bench() {}

  /// Runs the command line and exits with its code: 0 done, 1 failure, 2 wrong usage.
  public static void main(String[] args) {
    System.exit(new CommandLine(new Bench()).execute(args));
  }

  @Override
  public Integer call() throws RunnerException, IOException {
    Results before =
        against == null ? null : read("--against", against); // now, rather than at the end
    Page page = new Page("Holdfast: benchmarks", directory);
    Results results = from == null ? run() : read("--from", from);
    Report.print(
        Suites.ALL.stream().filter(suite -> shows(suite, results)).toList(), results, page);
    if (before != null) {
      page.out().printf("%n## Against %s, %s%n", against, before.run());
      new Comparison(before, results).print(page.out());
    }
    System.out.printf("%n%s%n", page);
    System.out.printf("written: %s%n", page.write().toAbsolutePath());
    failed.forEach(name -> System.err.printf("FAILED: %s%n", name));
    return failed.isEmpty() ? 0 : 1;
  }

  private Results read(String option, Path file) {
    try {
      return Results.read(file);
    } catch (IOException e) {
      throw new ParameterException(
          spec.commandLine(),
          "%s: cannot read the results of a run: %s: %s"
              .formatted(
                  option, file, Files.exists(file) ? e.getMessage() : "there is no such file"),
          e);
    }
  }

  /// Whether a suite has something to show.
  private static boolean shows(Suite suite, Results results) {
    return suite
        .experiments()
        .map(Class::getSimpleName)
        .anyMatch(
            name -> results.all().stream().anyMatch(each -> each.name().startsWith(name + ".")));
  }

  private Results run() throws RunnerException, IOException {
    Suite.Extent extent = new Suite.Extent(quick, Maps.hasPeers());
    Results results = new Results(facts(extent));
    Path json = directory.resolve(FILE_NAME.format(Instant.now()) + ".json");
    boolean ran = false;
    for (Suite each : Suites.ALL) {
      Suite suite = targets ? each.only(Targets.subjects()) : each;
      System.out.printf("# %s: %d processes a round%n", suite.name(), suite.processes(quick));
      ran |= run(suite, extent, results, json);
    }
    if (!ran) {
      throw new ParameterException(
          spec.commandLine(), "no suite or benchmark has such a name: names=" + names);
    }
    System.out.printf("written: %s%n", json.toAbsolutePath());
    return results;
  }

  private boolean run(Suite suite, Suite.Extent extent, Results results, Path json)
      throws RunnerException, IOException {
    boolean ran = false;
    int rounds = quick ? 1 : ROUNDS;
    for (int round = 1; round <= rounds; round++) {
      System.out.printf("# %s: round %d of %d%n", suite.name(), round, rounds);
      for (Part part : suite.parts()) {
        if (quick && !part.isQuick()) {
          continue;
        }
        Map<String, List<String>> parameters = parameters(part, extent);
        if (parameters.containsValue(List.<String>of())) {
          continue;
        }
        try {
          failed.addAll(run(options(suite, part, parameters).build(), results));
          ran = true;
        } catch (NoBenchmarksException _) {
          continue; // none that was named
        }
        results.write(json); // each time, since a run takes long and may be cut short
      }
    }
    for (Suite.Trial trial : suite.trials()) {
      if (named(suite) || names.stream().anyMatch(trial.getClass().getName()::contains)) {
        System.out.printf("# %s%n", trial.getClass().getSimpleName());
        try {
          trial.run(extent, results);
        } catch (IllegalStateException e) {
          e.printStackTrace();
          failed.add(trial.getClass().getSimpleName());
        }
        results.write(json);
        ran = true;
      }
    }
    return ran;
  }

  /// @return what was begun and has no result: JMH has said why, and the others go on
  private static Set<String> run(Options options, Results results) throws RunnerException {
    Set<String> begun = new TreeSet<>();
    OutputFormat console = OutputFormatFactory.createFormatInstance(System.out, VerboseMode.NORMAL);
    Object noting =
        Proxy.newProxyInstance(
            Bench.class.getClassLoader(),
            new Class<?>[] {OutputFormat.class},
            (_, method, arguments) -> {
              if (method.getName().equals("startBenchmark")) {
                begun.add(Results.name((BenchmarkParams) arguments[0]));
              }
              return method.invoke(console, arguments);
            });
    for (RunResult result : new Runner(options, (OutputFormat) noting).run()) {
      results.add(result);
      begun.remove(Results.name(result.getParams()));
    }
    return begun;
  }

  private boolean named(Suite suite) {
    return names.isEmpty() || names.contains(suite.name());
  }

  private static Map<String, List<String>> parameters(Part part, Suite.Extent extent) {
    Map<String, List<String>> parameters = part.parameters(extent.quick());
    if (!extent.peers()) {
      withoutPeers("map", own(part), parameters);
      withoutPeers(
          "tree",
          part.benchmark() == LevelDbBenchmark.class ? Trees.OWN_OF_LEVEL_DB : Trees.OWN,
          parameters);
      withoutPeers("queue", Queues.OWN, parameters);
    }
    return parameters;
  }

  private ChainedOptionsBuilder options(
      Suite suite, Part part, Map<String, List<String>> parameters) {
    ChainedOptionsBuilder options =
        new OptionsBuilder().shouldFailOnError(false).forks(1).addProfiler(GCProfiler.class);
    if (named(suite)) {
      options.include(part.include(""));
    } else {
      options.include(part.include(named(names)));
    }
    parameters.forEach((name, values) -> options.param(name, values.toArray(String[]::new)));
    if (part.operations() != 0) {
      options.operationsPerInvocation(part.operations());
    }
    if (quick) {
      options
          .warmupIterations(QUICK_WARMUPS)
          .warmupTime(QUICK_ITERATION)
          .measurementIterations(QUICK_ITERATIONS)
          .measurementTime(QUICK_ITERATION)
          .jvmArgsAppend(withoutHeap(part.benchmark().getAnnotation(Fork.class).jvmArgsAppend()));
      if (part.quickOperations() != 0) {
        options
            .warmupIterations(1)
            .measurementIterations(2)
            .operationsPerInvocation(part.quickOperations());
      }
    }
    return options;
  }

  /// A regular expression for what was named and is no suite; if there is none, nothing matches.
  static String named(List<String> names) {
    List<String> suites = Suites.ALL.stream().map(Suite::name).toList();
    return Stream.concat(Stream.of("(?!)"), names.stream().filter(name -> !suites.contains(name)))
        .collect(Collectors.joining("|", "(", ")"));
  }

  /// Without what makes a JVM touch 2 GiB first, which takes longer than a first look's iterations.
  static String[] withoutHeap(String[] flags) {
    return Stream.of(flags)
        .filter(flag -> !flag.startsWith("-Xms") && !flag.equals("-XX:+AlwaysPreTouch"))
        .filter(flag -> !flag.equals(Fork.BLANK_ARGS))
        .toArray(String[]::new);
  }

  private static List<String> own(Part part) {
    if (part.benchmark() == TransactionBenchmark.class) {
      return Accounts.OWN;
    }
    return part.benchmark() == TransferBenchmark.class ? Maps.TRANSFERS.subList(0, 3) : Maps.OWN;
  }

  private static void withoutPeers(
      String parameter, List<String> own, Map<String, List<String>> parameters) {
    parameters.put(
        parameter, parameters.getOrDefault(parameter, own).stream().filter(own::contains).toList());
  }

  private static Map<String, String> facts(Suite.Extent extent) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("commit", System.getenv().getOrDefault("HOLDFAST_COMMIT", "unknown"));
    facts.put("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    facts.put(
        "machine",
        "%s, %d processors, %s"
            .formatted(
                processor(),
                Runtime.getRuntime().availableProcessors(),
                firstLine(Path.of("/proc/meminfo"), "MemTotal").orElse("")));
    facts.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put("load at the beginning", firstLine(Path.of("/proc/loadavg"), "").orElse("unknown"));
    facts.put(
        "JDK", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
    facts.put(
        Results.EXTENT,
        (extent.quick()
                ? Results.FIRST_LOOK
                    + ": a hundred thousand entries for a million, a heap that grows"
                : "full")
            + (extent.peers() ? "" : "; built without the profile peers"));
    return facts;
  }

  /// The processor's name where Linux tells it.
  private static String processor() {
    return firstLine(Path.of("/proc/cpuinfo"), "model name")
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .orElse(System.getProperty("os.arch"));
  }

  private static Optional<String> firstLine(Path file, String beginning) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.filter(line -> line.startsWith(beginning)).findFirst();
    } catch (IOException _) {
      return Optional.empty();
    }
  }
}
