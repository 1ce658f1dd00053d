package io.holdfast.jmh.bench.map;

import io.holdfast.jmh.map.Maps;
import io.holdfast.jmh.map.Trees;
import io.holdfast.jmh.process.ChildProcess;
import io.holdfast.jmh.process.Scratch;
import io.holdfast.jmh.report.Mark;
import io.holdfast.jmh.report.Marks;
import io.holdfast.jmh.report.Page;
import io.holdfast.jmh.report.Results;
import io.holdfast.jmh.suite.Experiment;
import io.holdfast.jmh.suite.Suite;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.stream.Stream;

/// A process fills the map, goes on updating entries, and is killed at a random moment. Then the
/// map is opened and asked for one entry: by a process that has opened other maps before (`warm`:
/// from before opening until the answer), and, after another kill, by one that is started for it
/// (`fresh`: from the start of the process until its answer has arrived). Not by JMH, which has no
/// such processes. The file is in the page cache, so that what the disk takes to bring it there is
/// not counted.
@Experiment(
    question =
        "how long after `kill -9` does a map, or a tree, answer, and how many of its"
            + " acknowledged updates are gone? How long is a rebuild when the system was down?",
    floor = "none but the target: 5 ms in a warm JVM, 150 in a fresh process",
    variables = "the map; its size; a warm JVM or a fresh process")
public final class ReopenBenchmark implements Suite.Trial {
  static final List<Integer> SIZES = List.of(1_000_000, 10_000_000);
  private static final List<Integer> QUICK_SIZES = List.of(100_000);
  public static final List<Integer> ALL_SIZES =
      Stream.concat(QUICK_SIZES.stream(), SIZES.stream()).toList();
  private static final int KILLS = 5;

  /// Those that are opened; MapDB with its log too, since without it a file is refused that was not
  /// closed.
  static final List<String> REOPENED =
      List.of(
          Maps.HOLDFAST,
          Trees.HOLDFAST,
          Maps.LMDB,
          Maps.CHRONICLE_MAP,
          Maps.ROCKSDB,
          Maps.XODUS,
          Maps.H2_MV_STORE,
          Maps.MAP_DB,
          Maps.MAP_DB + Maps.POWER,
          Maps.ECLIPSE_STORE);

  /// Filling them with ten million takes minutes.
  private static final List<String> ONLY_MILLION =
      List.of(
          Maps.XODUS, Maps.H2_MV_STORE, Maps.MAP_DB, Maps.MAP_DB + Maps.POWER, Maps.ECLIPSE_STORE);

  @Override
  public void run(Suite.Extent extent, Results results) {
    for (int size : extent.quick() ? QUICK_SIZES : SIZES) {
      int kills = extent.quick() ? 1 : KILLS;
      for (String map : REOPENED) {
        boolean own = Maps.OWN.contains(map) || Trees.OWN.contains(map);
        if ((own || extent.peers()) && (size <= SIZES.getFirst() || !ONLY_MILLION.contains(map))) {
          Times times = reopen(map, size, kills);
          if (times.warm.isEmpty()) {
            results.add(name("refused", map, size), "openings", List.of(1.0));
          } else {
            results.add(name("warm", map, size), "ms", times.warm);
            results.add(name("fresh", map, size), "ms", times.fresh);
            results.add(name("lost", map, size), "updates", times.lost);
          }
        }
      }
      results.add(name("rebuilt", Maps.HOLDFAST_POWER, size), "ms", rebuild(size, kills));
    }
  }

  public static String name(String what, String map, int size) {
    return "ReopenBenchmark.%s(map=%s,size=%d)".formatted(what, map, size);
  }

  /// A kill each; none if the file was refused, and then it is refused for good.
  ///
  /// @param warm milliseconds
  /// @param fresh milliseconds
  /// @param lost acknowledged updates that were not there
  record Times(List<Double> warm, List<Double> fresh, List<Double> lost) {}

  /// Opens a map after each of some kills.
  static Times reopen(String map, int size, int kills) {
    Times times = new Times(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    try (Scratch scratch = new Scratch();
        ChildProcess warm = start(scratch, "warm", map, size)) {
      warm.expect("warm");
      for (int i = 0; i < kills; i++) {
        kill(scratch, map, size);
        String nanos = warm.ask("open");
        if (nanos.equals(ReopenedMap.REFUSED)) {
          break;
        }
        times.warm.add(Long.parseLong(nanos) / 1e6);
        times.lost.add(Double.parseDouble(warm.ask("lost")));
        kill(scratch, map, size);
        long started = System.nanoTime();
        try (ChildProcess fresh = start(scratch, "fresh", map, size)) {
          fresh.expect("answered");
          times.fresh.add((System.nanoTime() - started) / 1e6);
        }
        times.lost.add(Double.parseDouble(warm.ask("lost")));
      }
    }
    return times;
  }

  /// Opens our map as after a loss of power, some times.
  ///
  /// @return milliseconds
  static List<Double> rebuild(int size, int kills) {
    List<Double> millis = new ArrayList<>();
    try (Scratch scratch = new Scratch()) {
      kill(scratch, Maps.HOLDFAST_POWER, size);
      for (int i = 0; i < kills; i++) {
        try (ChildProcess child = start(scratch, "rebuild", Maps.HOLDFAST_POWER, size)) {
          millis.add(Long.parseLong(child.answer()) / 1e6);
        }
      }
    }
    return millis;
  }

  private static void kill(Scratch scratch, String map, int size) {
    try (ChildProcess worker = start(scratch, "work", map, size)) {
      worker.expect("working");
      Thread.sleep(ThreadLocalRandom.current().nextInt(50, 500));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private static ChildProcess start(Scratch scratch, String role, String map, int size) {
    Path directory = scratch.file("map");
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new ChildProcess(
        ReopenedMap.class, scratch.file("errors"), false, role, map, directory, size);
  }

  public static void print(Results results, Page page) {
    page.out()
        .printf(
            "| reopened after kill -9 | entries | warm JVM, ms | fresh process, ms | acknowledged"
                + " updates lost, at most |%n|---|---|---|---|---|%n");
    ALL_SIZES.forEach(
        size ->
            REOPENED.forEach(
                map -> {
                  if (results.time(name("refused", map, size)).isPresent()) {
                    page.out().printf("| %s | %,d | refused | refused | all |%n", map, size);
                  } else if (results.time(name("warm", map, size)).isPresent()) {
                    page.out()
                        .printf(
                            "| %s | %,d | %s | %s | %.0f |%n",
                            map,
                            size,
                            told(results, name("warm", map, size)),
                            told(results, name("fresh", map, size)),
                            results.time(name("lost", map, size)).get().getMax());
                  }
                }));
    page.out()
        .printf(
            "%n| rebuilt after a loss of power, entries | ms | million entries a second, at least 5"
                + " |%n|---|---|---|%n");
    ALL_SIZES.forEach(
        size -> {
          String rebuilt = name("rebuilt", Maps.HOLDFAST_POWER, size);
          results
              .median(rebuilt)
              .ifPresent(
                  ms ->
                      page.out()
                          .printf(
                              "| %,d | %s | %.1f |%n",
                              size, told(results, rebuilt), size / 1e3 / ms));
        });
    List<Integer> sizes =
        ALL_SIZES.stream()
            .filter(size -> results.time(name("warm", Maps.HOLDFAST, size)).isPresent())
            .toList();
    Function<Integer, List<Optional<Mark>>> medians =
        size ->
            REOPENED.stream()
                .map(map -> results.time(name("warm", map, size)).map(Mark::of))
                .toList();
    page.plot(
        new Marks(
            "Reopened after kill -9, warm JVM",
            "milliseconds to the first answer",
            REOPENED,
            sizes.stream()
                .map(size -> new Marks.Series("%,d entries".formatted(size), medians.apply(size)))
                .toList()),
        "reopen.svg");
  }

  private static String told(Results results, String name) {
    return results
        .time(name)
        .map(ms -> "%.1f (%.1f to %.1f)".formatted(ms.getPercentile(50), ms.getMin(), ms.getMax()))
        .orElse("");
  }
}
