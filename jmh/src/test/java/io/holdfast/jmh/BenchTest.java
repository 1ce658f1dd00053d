package io.holdfast.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BenchTest {
  /// A suite's name alone must not have the other suites run.
  @ParameterizedTest
  @CsvSource({
    "reopen, false",
    "LogBenchmark, true",
    "LogBenchmark.append, true",
    "MapBenchmark, false",
  })
  void whatIsNamedIsRun(String name, boolean runs) {
    String include = Part.of(LogBenchmark.class, "append").include(Bench.named(List.of(name)));
    assertThat("io.holdfast.jmh.LogBenchmark.append".matches(include)).isEqualTo(runs);
  }
}
