package io.holdfast.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.results.AverageTimeResult;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.IterationResultMetaData;
import org.openjdk.jmh.results.ResultRole;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.IterationType;
import org.openjdk.jmh.runner.WorkloadParams;
import org.openjdk.jmh.runner.options.TimeValue;

class RoundsTest {
  private static final IterationParams ITERATIONS =
      new IterationParams(IterationType.MEASUREMENT, 1, TimeValue.milliseconds(1), 1);

  @Test
  void roundsAreWrittenAsForksOfOneBenchmark(@TempDir Path directory) throws Exception {
    Rounds rounds = new Rounds();
    rounds.add(List.of(result("a", 1000), result("b", 7000)));
    rounds.add(List.of(result("a", 3000), result("b", 9000)));
    assertThat(rounds.results())
        .hasSize(2)
        .allSatisfy(result -> assertThat(result.getBenchmarkResults()).hasSize(2));
    Path file = directory.resolve("results.json");
    rounds.writeJson(file);
    assertThat(Files.readString(file).replaceAll("\\s", ""))
        .contains("\"params\":{\"log\":\"a\"}", "\"rawData\":[[1000.0],[3000.0]]")
        .contains("\"params\":{\"log\":\"b\"}", "\"rawData\":[[7000.0],[9000.0]]");
  }

  @Test
  void aNameTellsTheParameters() {
    assertThat(Report.name(params("a"))).isEqualTo("Some.method(log=a)");
  }

  private static RunResult result(String log, double nanos) {
    BenchmarkParams params = params(log);
    IterationResult iteration =
        new IterationResult(params, ITERATIONS, new IterationResultMetaData(1, 1));
    iteration.addResult(
        new AverageTimeResult(
            ResultRole.PRIMARY, "method", 1, Math.round(nanos), TimeUnit.NANOSECONDS));
    return new RunResult(params, List.of(new BenchmarkResult(params, List.of(iteration))));
  }

  private static BenchmarkParams params(String log) {
    WorkloadParams workload = new WorkloadParams();
    workload.put("log", log, log.charAt(0)); // by its place among the values they are told apart
    return new BenchmarkParams(
        "io.holdfast.jmh.Some.method",
        "Generated",
        false,
        1,
        new int[] {1},
        List.of(),
        1,
        0,
        ITERATIONS,
        ITERATIONS,
        Mode.AverageTime,
        workload,
        TimeUnit.NANOSECONDS,
        1,
        "java",
        List.of(),
        "25",
        "vm",
        "25",
        "1.37",
        TimeValue.seconds(1));
  }
}
