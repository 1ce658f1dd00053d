package io.holdfast.jmh;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;

/// The results of all rounds, as if their forks had been those of one run.
final class Rounds {
  private final Map<BenchmarkParams, List<BenchmarkResult>> forks = new TreeMap<>();

  void add(Collection<RunResult> round) {
    for (RunResult result : round) {
      forks
          .computeIfAbsent(result.getParams(), _ -> new ArrayList<>())
          .addAll(result.getBenchmarkResults());
    }
  }

  List<RunResult> results() {
    return forks.entrySet().stream()
        .map(entry -> new RunResult(entry.getKey(), entry.getValue()))
        .toList();
  }

  /// Writes them as JMH does, for the tools that read its files.
  void writeJson(Path file) throws IOException {
    try (OutputStream bytes = Files.newOutputStream(file);
        PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8)) {
      ResultFormatFactory.getInstance(ResultFormatType.JSON, out).writeOut(results());
      if (out.checkError()) {
        throw new IOException("%s: not written as a whole".formatted(file));
      }
    }
  }
}
