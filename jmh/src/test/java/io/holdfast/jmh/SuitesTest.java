package io.holdfast.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.holdfast.jmh.map.Maps;
import io.holdfast.jmh.suite.Experiment;
import io.holdfast.jmh.suite.Part;
import io.holdfast.jmh.suite.Suite;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

class SuitesTest {
  /// Of a quick run, less what is left for opening, latency and space: 120 seconds.
  private static final double QUICK_SECONDS = 600 - 120;

  /// A process's start, 0.7, five iterations of 150 ms, and on average 0.35 to fill a map.
  private static final double QUICK_PROCESS_SECONDS = 1.8;

  @Test
  void everyBenchmarkIsInASuiteAndSaysWhatItIsFor() {
    Set<String> inSuites =
        Suites.ALL.stream()
            .flatMap(Suite::experiments)
            .peek(measured -> assertThat(measured).hasAnnotation(Experiment.class))
            .map(Class::getName)
            .collect(Collectors.toSet());
    Set<String> benchmarks =
        BenchmarkList.defaultList()
            .getAll(
                OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT), List.of())
            .stream()
            .map(BenchmarkListEntry::getUserClassQName)
            .collect(Collectors.toSet());
    assertThat(benchmarks).isNotEmpty().isSubsetOf(inSuites);
  }

  @Test
  void aFirstLookTakesLessThanTenMinutes() {
    assumeThat(Maps.hasPeers()).as("the profile peers").isTrue();
    int processes = Suites.ALL.stream().mapToInt(suite -> suite.processes(true)).sum();
    assertThat(processes * QUICK_PROCESS_SECONDS).isLessThan(QUICK_SECONDS);
  }

  @Test
  void everyPartRunsSomething() {
    for (Suite suite : Suites.ALL) {
      for (Part part : suite.parts()) {
        assertThat(part.processes(part.parameters(false))).as("%s", part).isPositive();
      }
    }
  }

  /// So that each target gets its row by `--targets`.
  @Test
  void whatATargetIsAboutIsOneProcessARound() {
    assumeThat(Maps.hasPeers()).as("the profile peers").isTrue();
    List<Suite> suites = Suites.ALL.stream().map(suite -> suite.only(Targets.subjects())).toList();
    List<Part> parts = suites.stream().flatMap(suite -> suite.parts().stream()).toList();
    assertThat(parts).allMatch(part -> part.processes(part.parameters(false)) == 1);
    Set<String> trials =
        suites.stream()
            .flatMap(suite -> suite.trials().stream())
            .map(trial -> trial.getClass().getSimpleName())
            .collect(Collectors.toSet());
    assertThat(
            Targets.subjects().stream()
                .filter(name -> !trials.contains(name.substring(0, name.indexOf('.')))))
        .hasSameSizeAs(parts);
  }

  /// JMH has a word for no flags, which a JVM takes for a class's name.
  @Test
  void aFirstLooksProcessesHaveFlagsAlone() {
    for (Suite suite : Suites.ALL) {
      for (Part part : suite.parts()) {
        Fork fork = part.benchmark().getAnnotation(Fork.class);
        assertThat(Bench.withoutHeap(fork.jvmArgsAppend()))
            .as("%s", part)
            .allMatch(flag -> flag.startsWith("-"));
      }
    }
  }
}
