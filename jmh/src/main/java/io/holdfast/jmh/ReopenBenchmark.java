package io.holdfast.jmh;

import io.holdfast.jmh.map.Maps;
import io.holdfast.jmh.map.Trees;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Fork;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// *Question:* how long after `kill -9` does a map, or a tree, answer, by what it holds?
///
/// A process fills the map, goes on updating entries, and is killed at a random moment. Then the
/// map is opened and asked for one entry: by a process that has opened other maps before (`warm`:
/// from before opening until the answer), and, after another kill, by one that is started for it
/// (`fresh`: from the start of the process until its answer has arrived). Not by JMH, which has no
/// such processes; medians of some kills.
///
/// And: how many entries a second are rebuilt when the system was down? The file is in the page
/// cache, so that what the disk takes to bring it there is not counted.
///
/// *Compared with:* LMDB, Chronicle Map and its recovery; for trees LMDB, MVStore and Xodus.
@Command(
    name = "reopen",
    mixinStandardHelpOptions = true,
    description = "Kills processes that update a map, and prints how long it takes to open it.")
public final class ReopenBenchmark implements Callable<Integer> {
  private static final long PATIENCE_MINUTES = 15;
  private static final double WARM_MS_MAX = 5, FRESH_MS_MAX = 150;
  private static final double REBUILT_MILLIONS_MIN = 5;

  /// What the targets are about.
  private static final List<String> OURS = List.of(Maps.HOLDFAST, Trees.HOLDFAST);

  private static final int LARGE = 10_000_000;

  @Option(
      names = "--entries",
      split = ",",
      defaultValue = "1000000,10000000",
      description = "default: ${DEFAULT-VALUE}")
  private List<Integer> entries;

  @Option(names = "--kills", defaultValue = "5", description = "default: ${DEFAULT-VALUE}")
  private int kills;

  @Option(
      names = "--maps",
      split = ",",
      defaultValue = "Holdfast,LMDB,ChronicleMap",
      description = "default: ${DEFAULT-VALUE}")
  private List<String> maps;

  private ReopenBenchmark() {}

  ReopenBenchmark(List<Integer> entries, int kills) {
    this.entries = entries;
    this.kills = kills;
  }

  /// Runs the command line and exits with its code.
  public static void main(String[] args) {
    System.exit(new CommandLine(new ReopenBenchmark()).execute(args));
  }

  @Override
  public Integer call() {
    PrintWriter out = new PrintWriter(System.out, true);
    print(maps, out);
    if (maps.contains(Maps.HOLDFAST)) {
      printRebuilt(out);
    }
    return 0;
  }

  /// Milliseconds, a kill each.
  record Times(List<Double> warm, List<Double> fresh) {}

  void print(List<String> opened, PrintWriter out) {
    out.printf(
        "| reopened after kill -9 | entries | warm JVM, ms | fresh process, ms | target"
            + " |%n|---|---|---|---|---|%n");
    for (int count : entries) {
      for (String map : opened) {
        Times times = reopen(map, count);
        boolean judged = OURS.contains(map) && count == LARGE;
        out.printf(
            "| %s | %,d | %s | %s | %s |%n",
            map,
            count,
            told(times.warm),
            told(times.fresh),
            judged ? verdict(median(times.warm), median(times.fresh)) : "");
      }
    }
  }

  void printRebuilt(PrintWriter out) {
    out.printf(
        "%n| rebuilt after a loss of power, entries | ms | million entries a second | target"
            + " |%n|---|---|---|---|%n");
    for (int count : entries) {
      List<Double> millis = rebuild(count);
      double speed = count / 1e3 / median(millis);
      out.printf(
          "| %,d | %s | %.1f | at least %.0f: %s |%n",
          count,
          told(millis),
          speed,
          REBUILT_MILLIONS_MIN,
          speed >= REBUILT_MILLIONS_MIN ? "met" : "MISSED");
    }
  }

  private static String verdict(double warm, double fresh) {
    return "under %.0f and %.0f: %s"
        .formatted(
            WARM_MS_MAX,
            FRESH_MS_MAX,
            warm < WARM_MS_MAX && fresh < FRESH_MS_MAX ? "met" : "MISSED");
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
  }

  private static String told(List<Double> millis) {
    return "%.1f (%.1f to %.1f)"
        .formatted(median(millis), Collections.min(millis), Collections.max(millis));
  }

  /// Opens a map after each of some kills.
  Times reopen(String map, int count) {
    Times times = new Times(new ArrayList<>(), new ArrayList<>());
    try (Scratch scratch = new Scratch();
        Child warm = start(scratch, "warm", map, count)) {
      warm.expect("warm");
      for (int i = 0; i < kills; i++) {
        kill(scratch, map, count);
        times.warm.add(Long.parseLong(warm.ask()) / 1e6);
        kill(scratch, map, count);
        long started = System.nanoTime();
        try (Child fresh = start(scratch, "fresh", map, count)) {
          fresh.expect("answered");
          times.fresh.add((System.nanoTime() - started) / 1e6);
        }
      }
    }
    return times;
  }

  /// Opens our map as behind a loss of power, some times.
  ///
  /// @return milliseconds
  List<Double> rebuild(int count) {
    List<Double> millis = new ArrayList<>();
    try (Scratch scratch = new Scratch()) {
      kill(scratch, Maps.HOLDFAST_POWER, count);
      for (int i = 0; i < kills; i++) {
        try (Child child = start(scratch, "rebuild", Maps.HOLDFAST_POWER, count)) {
          millis.add(Long.parseLong(child.answer()) / 1e6);
        }
      }
    }
    return millis;
  }

  private static void kill(Scratch scratch, String map, int count) {
    try (Child worker = start(scratch, "work", map, count)) {
      worker.expect("working");
      Thread.sleep(ThreadLocalRandom.current().nextInt(50, 500));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private static Child start(Scratch scratch, String role, String map, int count) {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElseThrow());
    Arrays.stream(MapComparison.class.getAnnotation(Fork.class).jvmArgsAppend())
        .filter(flag -> !flag.startsWith("-Xm")) // as a program would be started
        .forEach(command::add);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(ReopenedMap.class.getName(), role, map));
    try {
      Path directory = scratch.file("map");
      Files.createDirectories(directory);
      command.addAll(List.of(directory.toString(), String.valueOf(count)));
      return new Child(command, scratch.file("errors"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// A process that answers; closing kills it as `kill -9` does.
  private static final class Child implements AutoCloseable {
    private final Process process;
    private final BufferedReader answers;
    private final Path errors;

    Child(List<String> command, Path errors) throws IOException {
      this.errors = errors;
      process =
          new ProcessBuilder(command).redirectError(Redirect.appendTo(errors.toFile())).start();
      answers = process.inputReader();
      process
          .onExit()
          .orTimeout(PATIENCE_MINUTES, TimeUnit.MINUTES)
          .exceptionally(
              _ -> {
                process.destroyForcibly(); // then its answers end
                return process;
              });
    }

    String answer() {
      try {
        for (String line = answers.readLine(); line != null; line = answers.readLine()) {
          if (line.startsWith(ReopenedMap.ANSWER)) {
            return line.substring(ReopenedMap.ANSWER.length());
          }
        }
        throw new IllegalStateException(
            "a process of the benchmark ended without an answer: "
                + process.info().commandLine().orElse("")
                + Files.readString(errors));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    void expect(String expected) {
      String answer = answer();
      if (!answer.equals(expected)) {
        throw new IllegalStateException("answer=%s, expected=%s".formatted(answer, expected));
      }
    }

    String ask() {
      try {
        process.outputWriter().write("open\n");
        process.outputWriter().flush();
        return answer();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() {
      process.destroyForcibly().onExit().join();
    }
  }
}
