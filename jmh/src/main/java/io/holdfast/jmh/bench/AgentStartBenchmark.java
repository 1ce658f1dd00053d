package io.holdfast.jmh.bench;

import io.holdfast.agent.WeavingTime;
import io.holdfast.jmh.process.Checkout;
import io.holdfast.jmh.process.ChildProcess;
import io.holdfast.jmh.process.Scratch;
import io.holdfast.jmh.report.Page;
import io.holdfast.jmh.report.Results;
import io.holdfast.jmh.report.ThroughputTable;
import io.holdfast.jmh.suite.Experiment;
import io.holdfast.jmh.suite.Suite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Programs are started in turns without the agent and with it, nothing in scope, and timed from
/// start to end. The JVM's own price of an agent is in it, which a program that does little can't
/// hide.
///
/// Weaving is that of the first 1,000 classes of the benchmarks' jar that have something to weave,
/// in a process of its own each time.
@Experiment(
    question = "how much later does a program start under the agent, and what does weaving take?",
    floor = "the same program without an agent",
    variables = "the program: one that prints a line, and the JDK's compiler on a small class")
public final class AgentStartBenchmark implements Suite.Trial {
  public static final List<String> PROGRAMS = List.of("line", "compiler");
  public static final String WEAVING = "AgentStartBenchmark.weaving";
  private static final int CLASSES = 1_000;
  private static final int RUNS = 21, QUICK_RUNS = 5;
  private static final String SOURCE =
      "class Line { public static void main(String[] a) { System.out.println(\"a line\"); } }";

  public static String name(String program, boolean woven) {
    return "AgentStartBenchmark.%s(agent=%s)".formatted(program, woven ? "Holdfast" : "none");
  }

  @Override
  public void run(Suite.Extent extent, Results results) throws IOException {
    Optional<Path> agent = Checkout.agent();
    if (agent.isEmpty()) {
      System.out.println("left out: the benchmarks were not started by ./holdfast");
      return;
    }
    starts(agent.get(), extent.quick() ? QUICK_RUNS : RUNS, results);
    if (!extent.quick()) {
      weave(Path.of(System.getProperty("java.class.path")), CLASSES, RUNS, results);
    }
  }

  static void starts(Path agent, int runs, Results results) throws IOException {
    try (Scratch scratch = new Scratch()) {
      Path source = Files.writeString(scratch.file("Line.java"), SOURCE);
      String classes = scratch.directory().toString();
      Path output = scratch.file("output");
      Map<String, List<String>> programs = new LinkedHashMap<>();
      programs.put(
          "compiler",
          List.of("-m", "jdk.compiler/com.sun.tools.javac.Main", "-d", classes, source.toString()));
      programs.put("line", List.of("-cp", classes, "Line"));
      for (Map.Entry<String, List<String>> program : programs.entrySet()) {
        List<Double> without = new ArrayList<>();
        List<Double> with = new ArrayList<>();
        for (int i = 0; i <= runs; i++) {
          double plain = Checkout.millis(output, command(List.of(), program.getValue()));
          double woven =
              Checkout.millis(
                  output,
                  command(
                      List.of("-javaagent:" + agent + "=include=nothing.of.this.**"),
                      program.getValue()));
          if (i > 0) {
            without.add(plain);
            with.add(woven);
          }
        }
        results.add(name(program.getKey(), false), "ms", without);
        results.add(name(program.getKey(), true), "ms", with);
      }
    }
  }

  private static List<String> command(List<String> flags, List<String> program) {
    List<String> command = Checkout.java(flags.toArray(String[]::new));
    command.addAll(program);
    return command;
  }

  static void weave(Path jar, int classes, int runs, Results results) throws IOException {
    try (Scratch scratch = new Scratch()) {
      List<String> names = WeavingTime.list(jar, classes);
      if (names.size() < classes) {
        throw new IllegalStateException(
            "%s: classes to weave=%d, wanted=%d".formatted(jar, names.size(), classes));
      }
      Path list = Files.write(scratch.file("classes"), names);
      List<Double> millis = new ArrayList<>();
      for (int i = 0; i < runs; i++) {
        try (ChildProcess child =
            new ChildProcess(AgentStartBenchmark.class, scratch.file("errors"), false, list)) {
          millis.add(Long.parseLong(child.answer()) / 1e6);
        }
      }
      results.add(WEAVING, "ms", millis);
    }
  }

  /// @param arguments a file that names classes
  public static void main(String[] arguments) throws IOException {
    ChildProcess.say(WeavingTime.weave(Path.of(arguments[0])));
  }

  public static void print(Results results, Page page) {
    ThroughputTable.heading(
        page.out(), "from start to end, ms", List.of("without the agent", "with it", "ratio"));
    for (String program : PROGRAMS) {
      Optional<Double> without = results.median(name(program, false));
      Optional<Double> with = results.median(name(program, true));
      if (without.isPresent() && with.isPresent()) {
        page.out()
            .printf(
                "| %s | %.0f | %.0f | %.2f |%n",
                program, without.get(), with.get(), with.get() / without.get());
      }
    }
    results
        .median(WEAVING)
        .ifPresent(
            ms ->
                page.out()
                    .printf(
                        "%nWeaving %,d classes takes %,.0f ms (at most 1,000).%n", CLASSES, ms));
  }
}
