package io.holdfast.jmh.bench.map;

import io.holdfast.jmh.map.BenchmarkMap;
import io.holdfast.jmh.map.BenchmarkMap.ByteAccess;
import io.holdfast.jmh.map.Draws;
import io.holdfast.jmh.map.Items;
import io.holdfast.jmh.map.MapShape;
import io.holdfast.jmh.map.Maps;
import io.holdfast.jmh.process.ChildProcess;
import io.holdfast.jmh.process.Scratch;
import io.holdfast.jmh.report.Mark;
import io.holdfast.jmh.report.Marks;
import io.holdfast.jmh.report.Page;
import io.holdfast.jmh.report.Results;
import io.holdfast.jmh.report.ThroughputTable;
import io.holdfast.jmh.suite.Experiment;
import io.holdfast.jmh.suite.Suite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// What a map takes when it has been filled, and when each entry has been updated three times on
/// average, at random. Of the files it is the blocks that they have on the disk, since some are
/// longer than what is in them; of the heap what can be reached, with the map open. A peer with a
/// transaction for each put gets its updates in few ({@link BenchmarkMap#together}).
@Experiment(
    question = "how long are a map's files, and what does it keep on the heap?",
    floor = "the payload: 116 bytes an entry, keys of 16 bytes and values of 100",
    variables = "the map; filled, and after churn")
public final class SpaceBenchmark implements Suite.Trial {
  private static final int ENTRIES = 1_000_000, QUICK_ENTRIES = 100_000;
  private static final int VALUE_BYTES = 100;
  private static final int CHURN = 3;
  private static final List<String> MEASURED =
      List.of("loadedFile", "churnedFile", "loadedHeap", "churnedHeap");
  private static final List<String> TITLES =
      List.of("file, loaded", "file, churned", "heap, loaded", "heap, churned");

  public SpaceBenchmark() {}

  private static String name(String what, String map) {
    return "SpaceBenchmark.%s(map=%s)".formatted(what, map);
  }

  @Override
  public void run(Suite.Extent extent, Results results) {
    MapSpace.measure(extent.quick() ? QUICK_ENTRIES : ENTRIES, results);
    for (String map : Maps.ALL) {
      if (extent.peers() || Maps.OWN.contains(map)) {
        double[] bytes = measure(map, extent.quick() ? QUICK_ENTRIES : ENTRIES);
        for (int i = 0; i < bytes.length; i++) {
          results.add(name(MEASURED.get(i), map), "bytes an entry", List.of(bytes[i]));
        }
      }
    }
  }

  /// Bytes an entry, as {@link #MEASURED}.
  public static double[] measure(String map, int entries) {
    try (Scratch scratch = new Scratch();
        ChildProcess child =
            new ChildProcess(
                SpaceBenchmark.class,
                scratch.file("errors"),
                true,
                map,
                entries,
                scratch.file("map"))) {
      return Stream.of(child.answer().split(" "))
          .mapToDouble(bytes -> Double.parseDouble(bytes) / entries)
          .toArray();
    }
  }

  /// @param arguments the map, entries, a directory
  public static void main(String[] arguments) throws IOException {
    int entries = Integer.parseInt(arguments[1]);
    Path directory = Files.createDirectory(Path.of(arguments[2]));
    long before = MapSpace.liveBytes();
    BenchmarkMap map = Maps.open(arguments[0], directory, MapShape.ofYcsb(entries, VALUE_BYTES));
    map.fillBytes(entries, VALUE_BYTES);
    long loadedFile = allocated(directory);
    long loadedHeap = MapSpace.liveBytes() - before;
    ByteAccess access = map.bytes();
    Draws draws = new Draws(1);
    for (int round = 0; round < CHURN; round++) {
      long number = (long) round * entries;
      map.together(
          () -> {
            for (long i = 0; i < entries; i++) {
              access.put(Items.key(draws.item(entries)), Items.value(number + i, VALUE_BYTES));
            }
          });
    }
    ChildProcess.say(
        "%d %d %d %d"
            .formatted(
                loadedFile, allocated(directory), loadedHeap, MapSpace.liveBytes() - before));
    map.close();
  }

  /// Blocks that files have on the disk, in bytes.
  private static long allocated(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      long bytes = 0;
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        bytes += allocatedTo(file);
      }
      return bytes;
    }
  }

  /// The JDK tells lengths alone; `stat` counts blocks of 512 bytes.
  private static long allocatedTo(Path file) throws IOException {
    Process stat = new ProcessBuilder("stat", "-c", "%b", file.toString()).start();
    try (var lines = stat.inputReader()) {
      return 512 * Long.parseLong(lines.readLine().strip());
    }
  }

  /// What an entry of our map takes by the size of its value.
  private static void printOwn(Results results, Page page) {
    ThroughputTable.heading(
        page.out(),
        "bytes of a value, keys of 16",
        List.of("bytes of the file's blocks for a byte of the payload in whole lines"));
    for (int bytes : MapSpace.VALUE_BYTES) {
      results
          .median(MapSpace.mediaName(bytes))
          .ifPresent(ratio -> page.out().printf("| %,d | %.2f |%n", bytes, ratio));
    }
    results
        .median(MapSpace.HEAP)
        .ifPresent(
            bytes -> page.out().printf("%nOf the heap, one entry more takes %.3f bytes.%n", bytes));
  }

  public static void print(Results results, Page page) {
    printOwn(results, page);
    page.out().println();
    ThroughputTable.heading(page.out(), "bytes an entry", TITLES);
    for (String map : Maps.ALL) {
      if (results.time(name(MEASURED.getFirst(), map)).isPresent()) {
        page.out()
            .printf(
                "| %s | %s |%n",
                map,
                String.join(
                    " | ",
                    MEASURED.stream()
                        .map(what -> "%.1f".formatted(results.median(name(what, map)).get()))
                        .toList()));
      }
    }
    page.plot(
        new Marks(
            "Bytes an entry of 116",
            "bytes",
            TITLES,
            Maps.ALL.stream()
                .map(
                    map ->
                        new Marks.Series(
                            map,
                            MEASURED.stream()
                                .map(
                                    what ->
                                        results
                                            .time(name(what, map))
                                            .map(Mark::of)
                                            .filter(bytes -> bytes.value() > 0.1))
                                .toList()))
                .toList()),
        "space.svg");
  }
}
