package io.holdfast.jmh;

import io.holdfast.jmh.map.Maps;
import io.holdfast.jmh.map.Trees;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
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
  private static final int ROUNDS = 3;
  private static final int KILLS = 5;
  private static final List<Integer> REOPENED = List.of(1_000_000, 10_000_000);
  private static final List<Integer> QUICK_REOPENED = List.of(1_000_000);
  private static final TimeValue HALF_A_SECOND = TimeValue.milliseconds(500);

  /// Names for what is measured together.
  private static final Map<String, String> SUITES =
      Map.of(
          "heap",
          "\\.HeapBenchmark\\.",
          "logs",
          "\\.LogBenchmark\\.",
          "map",
          "\\.(MapBenchmark|InsertBenchmark|YcsbBenchmark|RoundTripBenchmark|FloorBenchmark)\\.",
          "tree",
          "\\.(TreeBenchmark|TreeInsertBenchmark)\\.",
          "sections",
          "\\.(SectionBenchmark|AtlasBenchmark)\\.");

  @Option(names = "--quick", description = "one round and half-second iterations: for a first look")
  private boolean quick;

  @Option(
      names = "--results",
      paramLabel = "DIRECTORY",
      defaultValue = "${env:HOLDFAST_RESULTS:-target/results}",
      description = "where results.json and the plots are written (default: ${DEFAULT-VALUE})")
  private Path directory;

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "NAME",
      description =
          "part of the name of a benchmark, a regular expression, or a suite: heap, logs, map,"
              + " sections, tree (default: all)")
  private List<String> names = List.of("io.holdfast.jmh");

  private Bench() {}

  /// Runs the command line and exits with its code: 0 done, 1 failure, 2 wrong usage.
  public static void main(String[] args) {
    System.exit(new CommandLine(new Bench()).execute(args));
  }

  @Override
  public Integer call() throws RunnerException, IOException {
    ChainedOptionsBuilder options =
        new OptionsBuilder().shouldFailOnError(true).forks(1).addProfiler(GCProfiler.class);
    names.stream().map(name -> SUITES.getOrDefault(name, name)).forEach(options::include);
    boolean hasPeers = Maps.hasPeers();
    if (!hasPeers) {
      options.param("map", Maps.OWN.toArray(String[]::new));
      options.param("tree", Trees.OWN.toArray(String[]::new));
    }
    boolean maps = names.contains("map");
    boolean trees = names.contains("tree");
    if (quick) {
      options
          .warmupIterations(maps || trees ? 2 : 4)
          .warmupTime(HALF_A_SECOND)
          .measurementIterations(maps || trees ? 3 : 6)
          .measurementTime(HALF_A_SECOND);
      MapNames.QUICK.forEach((name, values) -> options.param(name, values.toArray(String[]::new)));
    }
    Files.createDirectories(directory); // now, rather than fail when everything is measured
    Path json = directory.resolve("results.json");
    Report report = new Report();
    Rounds rounds = new Rounds();
    int count = quick ? 1 : ROUNDS;
    for (int round = 1; round <= count; round++) {
      System.out.printf("# Round %d of %d%n", round, count);
      try {
        Collection<RunResult> results = new Runner(options.build()).run();
        report.add(results);
        rounds.add(results);
        rounds.writeJson(json); // each time, since a run takes long and may be cut short
      } catch (NoBenchmarksException e) {
        throw new ParameterException(
            spec.commandLine(), "no benchmark has such a name: names=" + names, e);
      }
    }
    PrintWriter out = new PrintWriter(System.out, true);
    out.printf("%n%s%n%n", machine());
    report.print(out);
    if (!hasPeers) {
      out.printf(
          "%nOthers' queues and maps are left out: this was built without the profile peers.%n");
    }
    out.printf("%nwritten: %s%n", json.toAbsolutePath());
    if (names.contains("logs")) {
      out.printf("%nTable 1 of the CSO paper, counted:%n%n");
      LogTable.print(out);
    }
    if (names.contains("sections")) {
      out.printf("%nTable 1 of the Atlas paper, with its data structures:%n%n");
      new AtlasTable(report::time).print(out);
    }
    if (maps) {
      printMaps(report, hasPeers, out);
    }
    if (trees) {
      printTrees(report, hasPeers, out);
    }
    LogFigures figures = new LogFigures(report::time);
    draw(figures.bySize(), "figure-4a.svg", out);
    draw(figures.byLatency(), "figure-4b.svg", out);
    MapFigures mapFigures = new MapFigures(report::time);
    draw(mapFigures.byLatency(), "figure-7a.svg", out);
    draw(mapFigures.bySize(), "figure-7b.svg", out);
    draw(mapFigures.byLines(), "figure-7c.svg", out);
    return 0;
  }

  private void printMaps(Report report, boolean hasPeers, PrintWriter out) {
    out.printf("%nMaps side by side, and Figure 7 of the CSO paper:%n%n");
    new MapTables(report::time).print(out);
    out.printf("%nThe map's operations on persistent memory, counted:%n%n");
    MapTable.print(out, MapTable.count());
    out.printf("%nThe map's space, counted:%n%n");
    MapSpace.print(out);
    out.printf("%nOpening after a crash:%n%n");
    List<String> reopened =
        hasPeers ? List.of(Maps.HOLDFAST, Maps.LMDB, Maps.CHRONICLE_MAP) : List.of(Maps.HOLDFAST);
    ReopenBenchmark reopening = reopening();
    reopening.print(reopened, out);
    reopening.printRebuilt(out);
  }

  private void printTrees(Report report, boolean hasPeers, PrintWriter out) {
    out.printf("%nTrees side by side:%n%n");
    TreeTables.print(out, report::time);
    out.printf("%nOpening after a crash:%n%n");
    List<String> reopened =
        hasPeers
            ? List.of(Trees.HOLDFAST, Maps.LMDB, Trees.MV_STORE, Trees.XODUS)
            : List.of(Trees.HOLDFAST);
    reopening().print(reopened, out);
  }

  private ReopenBenchmark reopening() {
    return new ReopenBenchmark(quick ? QUICK_REOPENED : REOPENED, quick ? 1 : KILLS);
  }

  private void draw(Chart chart, String name, PrintWriter out) throws IOException {
    if (chart.series().isEmpty()) {
      return;
    }
    Path file = directory.resolve(name);
    try (OutputStream svg = Files.newOutputStream(file)) {
      chart.writeSvg(svg);
    }
    out.printf("written: %s%n", file.toAbsolutePath());
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
