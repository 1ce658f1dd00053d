package io.holdfast.jmh.bench;

import io.holdfast.Holdfast;
import io.holdfast.jmh.process.Checkout;
import io.holdfast.jmh.process.Scratch;
import io.holdfast.jmh.report.Page;
import io.holdfast.jmh.report.Results;
import io.holdfast.jmh.report.ThroughputTable;
import io.holdfast.jmh.suite.Experiment;
import io.holdfast.jmh.suite.Suite;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Each command is a process as the launcher starts it, timed from its start to its end, JVM and
/// all; once before it counts, which leaves an archive of its classes. The file is in the page
/// cache.
@Experiment(
    question = "how long do the operator's commands take on a map of small records?",
    floor = "for `backup`, a copy of the file that is forced to the disk (`copy`)",
    variables = "the command; entries of the map")
public final class ToolBenchmark implements Suite.Trial {
  public static final List<Integer> SIZES = List.of(1_000_000, 10_000_000);
  private static final int RUNS = 5, QUICK_RUNS = 2;
  private static final String ROOT = "samples";

  /// Of a long key.
  record Sample(long number, int count) {}

  public static String name(String command, int size) {
    return "ToolBenchmark.%s(size=%d)".formatted(command, size);
  }

  @Override
  public void run(Suite.Extent extent, Results results) throws IOException {
    try (Scratch scratch = new Scratch()) {
      Optional<List<String>> tools = Checkout.tools(scratch.file("classes.jsa"));
      if (tools.isEmpty()) {
        System.out.println("left out: the benchmarks were not started by ./holdfast");
        return;
      }
      for (int size : extent.quick() ? SIZES.subList(0, 1) : SIZES) {
        measure(tools.get(), size, extent.quick() ? QUICK_RUNS : RUNS, results);
      }
    }
  }

  /// @param tools the command line, without arguments
  static void measure(List<String> tools, int size, int runs, Results results) throws IOException {
    try (Scratch scratch = new Scratch()) {
      Path file = scratch.file("samples.hf");
      try (Holdfast store = Holdfast.open(file)) {
        Map<Long, Sample> map = store.hashMap(ROOT, Long.class, Sample.class);
        for (long i = 0; i < size; i++) {
          map.put(i, new Sample(i, 1));
        }
      }
      Path output = scratch.file("output");
      Path copy = scratch.file("copy.hf");
      results.add(name("info", size), "ms", times(tools, runs, output, "info", file.toString()));
      results.add(
          name("verify", size), "ms", times(tools, runs, output, "verify", file.toString()));
      results.add(
          name("dump", size), "ms", times(tools, runs, output, "dump", file.toString(), ROOT));
      long lines;
      try (var dumped = Files.lines(output)) {
        lines = dumped.count();
      }
      if (lines != size) {
        throw new IllegalStateException("dump: lines=%d, entries=%d".formatted(lines, size));
      }
      List<Double> backups = new ArrayList<>();
      List<Double> copies = new ArrayList<>();
      for (int i = 0; i <= runs; i++) {
        double backup =
            Checkout.millis(output, command(tools, "backup", file.toString(), copy.toString()));
        Files.delete(copy);
        double copied = copy(file, copy);
        Files.delete(copy);
        if (i > 0) {
          backups.add(backup);
          copies.add(copied);
        }
      }
      results.add(name("backup", size), "ms", backups);
      results.add(name("copy", size), "ms", copies);
    }
  }

  private static List<Double> times(List<String> tools, int runs, Path output, String... arguments)
      throws IOException {
    List<Double> times = new ArrayList<>();
    for (int i = 0; i <= runs; i++) {
      double millis = Checkout.millis(output, command(tools, arguments));
      if (i > 0) {
        times.add(millis);
      }
    }
    return times;
  }

  private static List<String> command(List<String> tools, String... arguments) {
    List<String> command = new ArrayList<>(tools);
    command.addAll(List.of(arguments));
    return command;
  }

  private static double copy(Path from, Path to) throws IOException {
    long started = System.nanoTime();
    Files.copy(from, to);
    try (FileChannel copy = FileChannel.open(to, StandardOpenOption.WRITE)) {
      copy.force(true);
    }
    return (System.nanoTime() - started) / 1e6;
  }

  public static void print(Results results, Page page) {
    ThroughputTable.heading(
        page.out(), "entries", List.of("info, ms", "verify", "dump", "backup", "copy and force"));
    for (int size : SIZES) {
      if (results.time(name("info", size)).isPresent()) {
        page.out()
            .printf(
                "| %,d | %s |%n",
                size,
                String.join(
                    " | ",
                    List.of("info", "verify", "dump", "backup", "copy").stream()
                        .map(
                            command -> "%,.0f".formatted(results.median(name(command, size)).get()))
                        .toList()));
      }
    }
  }
}
