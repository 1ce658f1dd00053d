package io.holdfast.jmh.bench.stm;

import io.holdfast.core.persistence.PersistentMemory;
import io.holdfast.jmh.domain.EmulatedLatency;
import io.holdfast.jmh.report.Page;
import io.holdfast.jmh.report.Results;
import io.holdfast.jmh.report.ThroughputTable;
import io.holdfast.jmh.stm.StmLog;
import io.holdfast.jmh.stm.StmProgram;
import io.holdfast.jmh.stm.StmRun;
import io.holdfast.jmh.suite.Experiment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// Whole runs of programs by one thread, on what is treated as persistent memory. A program is made
/// for each run, and checked after it.
@Experiment(
    question =
        "how much faster are transactions of words with one round trip to the log than with two?"
            + " The CSO paper's Figure 5",
    floor = "CSO-VB, one round trip for a transaction",
    variables = "the program; the log; nanoseconds added to a fence")
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5)
@Measurement(iterations = 7)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class StmBenchmark {
  static final List<Integer> LATENCIES_NS = List.of(0, 200, 400, 600, 800);

  @Param public StmProgram program;

  @Param public StmLog log;

  @Param({"0", "200", "400", "600", "800"})
  public int addedNanos;

  private StmRun running;

  @Setup(Level.Iteration)
  public void open() {
    running =
        new StmRun(
            program,
            log,
            1,
            program.size,
            file -> new EmulatedLatency(PersistentMemory.domainOf(file), addedNanos));
  }

  @TearDown(Level.Iteration)
  public void close() {
    running.check();
    running.close();
  }

  @Benchmark
  public long run() {
    return running.run();
  }

  private static String name(StmProgram program, StmLog log, int addedNanos) {
    return "StmBenchmark.run(addedNanos=%d,log=%s,program=%s)".formatted(addedNanos, log, program);
  }

  public static void print(Results results, Page page) {
    List<StmLog> others = List.of(StmLog.CSO_VB, StmLog.CRC32C, StmLog.CRC64);
    ThroughputTable.heading(
        page.out(),
        "times as fast as with TwoRounds",
        Stream.concat(Stream.of("ns added to a fence"), others.stream().map(each -> each.title))
            .toList());
    for (StmProgram program : StmProgram.values()) {
      for (int nanos : LATENCIES_NS) {
        Optional<Double> baseline = results.median(name(program, StmLog.TWO_ROUNDS, nanos));
        if (baseline.isPresent()) {
          List<String> cells = new ArrayList<>(List.of(program.title, "" + nanos));
          for (StmLog log : others) {
            cells.add(
                Page.cell(
                    results.median(name(program, log, nanos)).map(its -> baseline.get() / its),
                    "%.3f"));
          }
          page.out().println(Page.row(cells));
        }
      }
    }
    page.out()
        .printf(
            """

            The paper: with no latency added 1.013 to 1.179 for CSO-VB and CRC32, CRC64 below 1; \
            intruder with 800 ns 1.415 to 1.42, CRC64 1.23.
            """);
  }
}
