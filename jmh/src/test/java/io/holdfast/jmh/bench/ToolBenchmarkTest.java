package io.holdfast.jmh.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.agent.WeavingTime;
import io.holdfast.jmh.process.Checkout;
import io.holdfast.jmh.report.Measurement;
import io.holdfast.jmh.report.Results;
import io.holdfast.recovery.cli.HoldfastCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Starts the commands from the class path: times mean nothing here.
class ToolBenchmarkTest {
  @Test
  void eachCommandIsTimed() throws IOException {
    Results results = new Results(Map.of());
    List<String> tools =
        Checkout.java(
            "-cp", System.getProperty("java.class.path"), HoldfastCommand.class.getName());
    ToolBenchmark.measure(tools, 1_000, 1, results);
    assertThat(results.all())
        .extracting(Measurement::name)
        .containsExactlyInAnyOrder(
            ToolBenchmark.name("info", 1_000),
            ToolBenchmark.name("verify", 1_000),
            ToolBenchmark.name("dump", 1_000),
            ToolBenchmark.name("backup", 1_000),
            ToolBenchmark.name("copy", 1_000));
  }

  @Test
  void classesAreWoven(@TempDir Path directory) throws IOException {
    Path list = Files.write(directory.resolve("list"), List.of("org/HdrHistogram/Recorder.class"));
    assertThat(WeavingTime.weave(list)).isPositive();
  }
}
