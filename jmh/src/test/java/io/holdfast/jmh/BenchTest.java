package io.holdfast.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.jmh.bench.log.LogBenchmark;
import io.holdfast.jmh.suite.Part;
import io.holdfast.jmh.suite.Suite;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

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
    assertThat("io.holdfast.jmh.bench.log.LogBenchmark.append".matches(include)).isEqualTo(runs);
  }

  /// Goes through all parts, and starts none.
  @ParameterizedTest
  @ValueSource(strings = {"--quick", "--targets", "--results=none"})
  void aNameThatNobodyHas(String option) {
    StringWriter err = new StringWriter();
    CommandLine bench = new CommandLine(new Bench()).setErr(new PrintWriter(err, true));
    assertThat(bench.execute(option, "nobodyHasIt")).isEqualTo(2);
    assertThat(err.toString()).contains("no suite or benchmark has such a name");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--against", "--from"})
  void resultsThatAreNotThere(String option) {
    StringWriter err = new StringWriter();
    CommandLine bench = new CommandLine(new Bench()).setErr(new PrintWriter(err, true));
    assertThat(bench.execute(option, "no-results.json")).isEqualTo(2);
    assertThat(err.toString())
        .contains(
            option + ": cannot read the results of a run: no-results.json: there is no such file")
        .doesNotContain("Exception");
  }

  @Test
  void theUsageNamesEverySuite() {
    String suites = Suites.ALL.stream().map(Suite::name).collect(Collectors.joining(", "));
    assertThat(new CommandLine(new Bench()).getUsageMessage().replaceAll("\\s+", " "))
        .contains("Suites: " + suites);
  }
}
