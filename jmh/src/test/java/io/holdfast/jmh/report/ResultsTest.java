package io.holdfast.jmh.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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

class ResultsTest {
  private static final IterationParams ITERATIONS =
      new IterationParams(IterationType.MEASUREMENT, 1, TimeValue.milliseconds(1), 1);

  @Test
  void whatIsWrittenIsReadAgain(@TempDir Path directory) throws Exception {
    Results results = new Results(Map.of("commit", "abc"));
    results.add(result("a", 1000));
    results.add(result("b", 7000));
    results.add(result("a", 3000));
    results.add("Trial.warm(size=5)", "ms", List.of(1.5, 2.5));
    Path file = directory.resolve("results/one.json");
    results.write(file);
    Results read = Results.read(file);
    assertThat(read.run()).isEqualTo(Map.of("commit", "abc"));
    assertThat(read.all()).isEqualTo(results.all());
    assertThat(read.flags()).isEqualTo(Map.of(List.of("-Xmx1g"), List.of("Some")));
    assertThat(read.find("Some.method(entries=10,log=a)").orElseThrow().rounds())
        .isEqualTo(List.of(List.of(1000.0), List.of(3000.0)));
    assertThat(read.find("Trial.warm(size=5)").orElseThrow().rounds())
        .isEqualTo(List.of(List.of(1.5, 2.5)));
  }

  @Test
  void aBenchmarkIsFoundWhateverNumberOfEntriesItHad() {
    Results results = new Results(Map.of());
    results.add(result("a", 1000));
    assertThat(results.median("Some.method(log=a)")).contains(1000.0);
    assertThat(Measurement.shortName("Some.method(entries=10)")).isEqualTo("Some.method");
    assertThat(Measurement.shortName("S.m(a=1,entries=10)")).isEqualTo("S.m(a=1)");
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
    workload.put("entries", "10", 0);
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
        List.of("-Xmx1g"),
        "25",
        "vm",
        "25",
        "1.37",
        TimeValue.seconds(1));
  }
}
