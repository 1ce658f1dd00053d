package io.holdfast.jmh.bench;

import io.holdfast.jmh.process.Checkout;
import io.holdfast.jmh.process.Scratch;
import io.holdfast.jmh.report.Page;
import io.holdfast.jmh.report.Results;
import io.holdfast.jmh.report.ThroughputTable;
import io.holdfast.jmh.suite.Experiment;
import io.holdfast.jmh.suite.Suite;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Programs are started in turns and timed from start to end: an empty one; one that opens a store
/// as a killed process leaves it, and gets an entry; and the same with an AOT cache, by the recipe
/// of docs/guide.md. With the jars of a program's class path, not with the benchmarks' own, whose
/// table of contents alone is as much work as an opening.
@Experiment(
    question = "how long does a new process take to its first answer from a store that was killed?",
    floor = "a program that prints a line",
    variables = "an AOT cache, or none")
public final class OpeningBenchmark implements Suite.Trial {
  public static final String EMPTY = "empty";
  public static final String OPENED = "opened";
  public static final String CACHED = "cached";
  private static final int RUNS = 21, QUICK_RUNS = 5;

  /// Leaves the store as it is; with a second argument it fills it first.
  private static final String SOURCE =
      """
      class Shop {
        public static void main(String[] a) {
          var store = io.holdfast.Holdfast.open(java.nio.file.Path.of(a[0]));
          var map = store.hashMap("map", Long.class, Long.class);
          for (long i = 0; a.length > 1 && i < 100_000; i++) {
            map.put(i, i);
          }
          System.out.println(map.get(77L));
          Runtime.getRuntime().halt(0);
        }
      }
      class Empty {
        public static void main(String[] a) {
          System.out.println("a line");
        }
      }
      """;

  public static String name(String program) {
    return "OpeningBenchmark." + program;
  }

  @Override
  public void run(Suite.Extent extent, Results results) throws IOException {
    Optional<Path> core = Checkout.jar("core");
    Optional<Path> collections = Checkout.jar("collections");
    if (core.isEmpty() || collections.isEmpty()) {
      System.out.println("left out: the benchmarks were not started by ./holdfast");
      return;
    }
    try (Scratch scratch = new Scratch()) {
      run(
          core.get() + File.pathSeparator + collections.get(),
          extent.quick() ? QUICK_RUNS : RUNS,
          scratch,
          results);
    }
  }

  static void run(String holdfast, int runs, Scratch scratch, Results results) throws IOException {
    Path output = scratch.file("output");
    String source = Files.writeString(scratch.file("Shop.java"), SOURCE).toString();
    String classes = Files.createDirectory(scratch.file("classes")).toString();
    String jar = scratch.file("shop.jar").toString();
    String javac = "jdk.compiler/com.sun.tools.javac.Main";
    Checkout.millis(output, Checkout.java("-m", javac, "-cp", holdfast, "-d", classes, source));
    Checkout.millis(
        output,
        Checkout.java("-m", "jdk.jartool/sun.tools.jar.Main", "-cf", jar, "-C", classes, "."));
    String path = jar + File.pathSeparator + holdfast;
    String store = scratch.file("shop.hf").toString();
    String cache = scratch.file("shop.aot").toString();
    Checkout.millis(output, Checkout.java("-cp", path, "Shop", store, "fill"));
    Checkout.millis(
        output, Checkout.java("-XX:AOTCacheOutput=" + cache, "-cp", path, "Shop", store));
    Map<String, List<String>> programs = new LinkedHashMap<>();
    programs.put(EMPTY, Checkout.java("-cp", path, "Empty"));
    programs.put(OPENED, Checkout.java("-cp", path, "Shop", store));
    programs.put(CACHED, Checkout.java("-XX:AOTCache=" + cache, "-cp", path, "Shop", store));
    Map<String, List<Double>> millis = new LinkedHashMap<>();
    for (int i = 0; i <= runs; i++) {
      for (Map.Entry<String, List<String>> program : programs.entrySet()) {
        double took = Checkout.millis(output, program.getValue());
        if (i > 0) { // the first round is of cold files
          millis.computeIfAbsent(program.getKey(), _ -> new ArrayList<>()).add(took);
        }
      }
    }
    millis.forEach((program, each) -> results.add(name(program), "ms", each));
  }

  public static void print(Results results, Page page) {
    ThroughputTable.heading(
        page.out(), "from start to end, ms", List.of("median", "more than an empty one"));
    row("an empty program", EMPTY, results, page);
    row("a store opened, and an entry got", OPENED, results, page);
    row("the same with an AOT cache", CACHED, results, page);
  }

  private static void row(String title, String program, Results results, Page page) {
    Optional<Double> empty = results.median(name(EMPTY));
    Optional<Double> median = results.median(name(program));
    if (empty.isPresent() && median.isPresent()) {
      page.out().printf("| %s | %.0f | %.0f |%n", title, median.get(), median.get() - empty.get());
    }
  }
}
