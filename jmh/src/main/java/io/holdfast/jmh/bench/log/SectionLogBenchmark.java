package io.holdfast.jmh.bench.log;

import io.holdfast.core.memory.FlushMode;
import io.holdfast.core.persistence.PersistentMemory;
import io.holdfast.jmh.atlas.Program;
import io.holdfast.jmh.atlas.SectionMemory;
import io.holdfast.jmh.bench.program.AtlasBenchmark;
import io.holdfast.jmh.bench.program.ProgramTable;
import io.holdfast.jmh.bench.program.RunningProgram;
import io.holdfast.jmh.domain.EmulatedLatency;
import io.holdfast.jmh.report.Chart;
import io.holdfast.jmh.report.Chart.Point;
import io.holdfast.jmh.report.Page;
import io.holdfast.jmh.report.Results;
import io.holdfast.jmh.report.ThroughputTable;
import io.holdfast.jmh.suite.Experiment;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.util.Statistics;

/// The programs of {@link AtlasBenchmark}, smaller, on what is treated as persistent memory. The
/// other logs are ours with the round trips of theirs ({@link LogRoundTrips}).
@Experiment(
    question =
        "how many times as long do sections take with Atlas's log as with CSO-VB? The CSO paper's"
            + " Figure 6, by the latency of the medium besides",
    floor = "CSO-VB, one round trip for an entry",
    variables = "the program; the log: 1, 1.5 or 2 round trips; nanoseconds added to a fence")
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class SectionLogBenchmark extends RunningProgram {
  private static final int OPERATIONS = 6_000;

  /// What Atlas's log takes more in the paper's Figure 6 (5.3).
  private static final Map<String, String> PAPER = new LinkedHashMap<>();

  static {
    PAPER.put("arrayStores", "38 %");
    PAPER.put("queue", "23 %");
    PAPER.put("cowArrayList", "none");
    PAPER.put("alarmClock", "11 %");
  }

  @Param({"arrayStores", "queue", "cowArrayList", "alarmClock"})
  public String program;

  @Param({"CSO-VB", "AtlasLog", "TwoRounds"})
  public String log;

  @Param({"0", "200", "400", "600", "800"})
  public int addedNanos;

  @Override
  protected Program program(Path file) {
    return ProgramTable.atlas()
        .get(program)
        .apply(
            SectionMemory.open(
                file,
                path ->
                    LogRoundTrips.of(
                        log, new EmulatedLatency(PersistentMemory.domainOf(path), addedNanos)),
                FlushMode.HYBRID));
  }

  @Benchmark
  @OperationsPerInvocation(OPERATIONS)
  public void run() {
    run(OPERATIONS);
  }

  static String name(String program, String log, int addedNanos) {
    return "SectionLogBenchmark.run(addedNanos=%d,log=%s,program=%s)"
        .formatted(addedNanos, log, program);
  }

  public static void print(Results results, Page page) {
    List<Chart.Series> lines =
        PAPER.keySet().stream()
            .map(
                program ->
                    new Chart.Series(
                        program,
                        LogNames.LATENCIES_NS.stream()
                            .flatMap(nanos -> point(results, program, nanos).stream())
                            .toList()))
            .filter(line -> !line.points().isEmpty())
            .toList();
    page.plot(
        new Chart(
            "Figure 6: sections with Atlas's log",
            "nanoseconds added to a fence",
            "times as long as with CSO-VB",
            true,
            lines),
        "figure-6.svg");
    ThroughputTable.heading(
        page.out(),
        "more time than with CSO-VB",
        List.of("ns added to a fence", "AtlasLog", "TwoRounds", "AtlasLog in the paper"));
    PAPER.forEach(
        (program, paper) ->
            LogNames.LATENCIES_NS.forEach(
                nanos -> {
                  if (results.time(name(program, "CSO-VB", nanos)).isPresent()) {
                    page.out()
                        .println(
                            Page.row(
                                List.of(
                                    program,
                                    nanos.toString(),
                                    more(results, program, "AtlasLog", nanos),
                                    more(results, program, "TwoRounds", nanos),
                                    nanos == 0 ? paper : "")));
                  }
                }));
  }

  private static Optional<Point> point(Results results, String program, int nanos) {
    Optional<Statistics> ours = results.time(name(program, "CSO-VB", nanos));
    return results
        .time(name(program, "AtlasLog", nanos))
        .filter(_ -> ours.isPresent())
        .map(theirs -> Point.ofRatio(nanos, theirs, ours.get()));
  }

  private static String more(Results results, String program, String log, int nanos) {
    double ours = results.median(name(program, "CSO-VB", nanos)).get();
    return Page.cell(
        results.median(name(program, log, nanos)).map(its -> 100 * (its / ours - 1)), "%.0f %%");
  }
}
