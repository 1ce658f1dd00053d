package io.holdfast.jmh;

import io.holdfast.jmh.report.Measurement;
import io.holdfast.jmh.report.Results;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/// Runs benchmarks once, with few entries: times mean nothing here.
public final class SmallRuns {
  public static final int ENTRIES = 1_000;

  static {
    System.setProperty("jmh.ignoreLock", "true"); // nothing is measured: others may measure beside
  }

  private SmallRuns() {}

  public static ChainedOptionsBuilder smallest(String... benchmarks) {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT)
            .warmupIterations(0)
            .measurementIterations(1)
            .measurementTime(TimeValue.milliseconds(1))
            .param("entries", String.valueOf(ENTRIES));
    for (String benchmark : benchmarks) {
      options.include("\\." + benchmark + "\\b");
    }
    return options;
  }

  /// @return the names of what ran, without the number of entries
  public static Set<String> run(ChainedOptionsBuilder options) throws RunnerException {
    Collection<RunResult> results = new Runner(options.build()).run();
    Set<String> names = new TreeSet<>();
    for (RunResult result : results) {
      names.add(Measurement.shortName(Results.name(result.getParams())));
    }
    return names;
  }
}
