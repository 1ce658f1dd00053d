package io.holdfast.jmh.bench.disk;

import io.holdfast.jmh.bench.disk.Updates.Update;
import io.holdfast.jmh.map.BenchmarkMap;
import io.holdfast.jmh.map.HoldfastMap;
import io.holdfast.jmh.map.Maps;
import io.holdfast.jmh.process.ChildProcess;
import io.holdfast.jmh.process.Scratch;
import io.holdfast.jmh.report.Page;
import io.holdfast.jmh.report.Results;
import io.holdfast.jmh.report.Target;
import io.holdfast.jmh.report.ThroughputTable;
import io.holdfast.jmh.suite.Experiment;
import io.holdfast.jmh.suite.Suite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// Updates of a million entries, over some of our checkpoints. What is written is counted twice.
///
/// | | counted | left out, or too much |
/// |---|---|---|
/// | written | bytes that the process has passed to writing calls: `wchar` in `/proc/self/io` | stores to mapped files; what a device writes besides to fill a block, which for LMDB is a page for each commit, and for RocksDB nearly all |
/// | device | sectors that the device was told to write: `/sys/dev/block` | nothing, but those of all processes |
///
/// Not `write_bytes` of `/proc/self/io`: where the page cache has large folios, a page that becomes
/// dirty counts for all of its folio.
///
/// Each store is in a process of its own, and the log has its full length before anything counts.
@Experiment(
    question =
        "how much is written to the device for a byte of updates, and how late are updates while"
            + " a checkpoint is under way?",
    floor = "none: what others write, and the same updates without a checkpoint",
    variables = "the store, the number of threads")
public final class CheckpointBenchmark implements Suite.Trial {
  private static final String WRITTEN = "written",
      DEVICE = "device",
      WITH = "p999With",
      WITHOUT = "p999Without";

  /// In the order of what a process says.
  private static final List<String> MEASURED =
      List.of(
          WRITTEN, DEVICE, "pages", "logged", "updates", "checkpoints", "stalled", WITH, WITHOUT);

  private static final List<String> UNITS =
      List.of("bytes", "bytes", "bytes", "bytes", "updates", "checkpoints", "ms", "ns", "ns");

  private static final int SECTOR_BYTES = 512;
  private static final int MANY = 64;
  private static final long ENTRIES = 1_000_000, QUICK_ENTRIES = 20_000;
  private static final long WARM_UP_SECONDS = 20, SECONDS = 40, QUICK_SECONDS = 1;

  private record Row(String store, int threads) {
    String name(String measured) {
      return CheckpointBenchmark.name(measured, store, threads);
    }
  }

  private static final List<Row> OWN =
      List.of(
          new Row(Maps.HOLDFAST_DISK, 1),
          new Row(Maps.HOLDFAST_DISK, MANY),
          new Row(Maps.HOLDFAST_RELAXED, 1));

  private static final List<Row> PEERS =
      List.of(
          new Row(Maps.LMDB + Maps.POWER, 1),
          new Row(Maps.LMDB + Maps.POWER, MANY),
          new Row(Maps.ROCKSDB + Maps.POWER, 1),
          new Row(Maps.ROCKSDB + Maps.POWER, MANY));

  public CheckpointBenchmark() {}

  private static String name(String measured, String store, int threads) {
    return "CheckpointBenchmark.%s(store=%s,threads=%d)".formatted(measured, store, threads);
  }

  /// A third of LMDB's bytes; a tail three times as long.
  public static Stream<Target> targets() {
    return Stream.concat(
        Stream.of(1, MANY)
            .map(
                threads ->
                    new Target(
                        name(WRITTEN, Maps.HOLDFAST_DISK, threads),
                        name(WRITTEN, Maps.LMDB + Maps.POWER, threads),
                        1 / 3.0)),
        OWN.stream().map(row -> new Target(row.name(WITH), row.name(WITHOUT), 3)));
  }

  @Override
  public void run(Suite.Extent extent, Results results) {
    List<Row> rows = extent.peers() ? Stream.concat(OWN.stream(), PEERS.stream()).toList() : OWN;
    for (Row row : rows) {
      measure(row, extent.quick(), results);
    }
  }

  private static void measure(Row row, boolean quick, Results results) {
    try (Scratch scratch = new Scratch();
        ChildProcess child =
            new ChildProcess(
                CheckpointBenchmark.class,
                scratch.file("errors"),
                true,
                row.store,
                row.threads,
                quick ? QUICK_ENTRIES : ENTRIES,
                quick ? QUICK_SECONDS : WARM_UP_SECONDS,
                quick ? QUICK_SECONDS : SECONDS,
                scratch.directory())) {
      String[] values = child.answer().split(" ");
      for (int i = 0; i < values.length; i++) {
        if (!values[i].equals(Tails.NONE)) {
          results.add(row.name(MEASURED.get(i)), UNITS.get(i), List.of(Double.valueOf(values[i])));
        }
      }
    }
  }

  /// @param arguments the store, threads, entries, seconds before and while it is measured, a
  ///   directory
  public static void main(String[] arguments) throws IOException {
    String store = arguments[0];
    int threads = Integer.parseInt(arguments[1]);
    long entries = Long.parseLong(arguments[2]);
    long warmUp = Long.parseLong(arguments[3]) * 1_000_000_000;
    long nanos = Long.parseLong(arguments[4]) * 1_000_000_000;
    Path directory = Path.of(arguments[5]);
    Updates.fill(store, directory, entries);
    try (BenchmarkMap map = Maps.open(store, directory, Updates.shape(entries))) {
      Updates.run(threads, false, warmUp, Updates.of(map, entries));
      Tails tails = new Tails();
      long written = written();
      double device = device(directory);
      long logged = logged(map);
      long updates =
          Updates.run(
              threads,
              false,
              nanos,
              thread -> {
                Update update = Updates.of(map, entries).apply(threads + thread);
                Tails.Tail tail = tails.add();
                return () -> {
                  long started = System.nanoTime();
                  update.run();
                  tail.add(started, System.nanoTime());
                };
              });
      written = written() - written;
      device = device(directory) - device;
      logged = logged(map) - logged;
      tails.end();
      ChildProcess.say(
          "%s %s %s %s %d %d %d %s %s"
              .formatted(
                  (double) written / updates / Updates.PAYLOAD_BYTES,
                  device / updates / Updates.PAYLOAD_BYTES,
                  (double) tails.bytes() / updates / Updates.PAYLOAD_BYTES,
                  (double) logged / updates,
                  updates,
                  tails.checkpoints(),
                  tails.stalledMillis(),
                  tails.with(),
                  tails.without()));
    }
  }

  private static long logged(BenchmarkMap map) {
    return map instanceof HoldfastMap own ? own.counts().bytes() : 0;
  }

  /// By this process, so far.
  private static long written() throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/io"))) {
      return lines
          .filter(line -> line.startsWith("wchar: "))
          .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(' ') + 1)))
          .findFirst()
          .orElseThrow();
    }
  }

  /// By all, to the device of a directory, so far; not a number where it is no single one.
  private static double device(Path directory) throws IOException {
    long device = (Long) Files.getAttribute(directory, "unix:dev");
    Path counts =
        Path.of("/sys/dev/block/%d:%d/stat".formatted(device >> 8 & 0xfff, device & 0xff));
    return Files.exists(counts)
        ? SECTOR_BYTES * Double.parseDouble(Files.readString(counts).strip().split("\\s+")[6])
        : Double.NaN;
  }

  public static void print(Results results, Page page) {
    page.out().printf("%nUpdates of %d bytes, with checkpoints:%n%n", Updates.PAYLOAD_BYTES);
    ThroughputTable.heading(
        page.out(),
        "store, threads",
        List.of(
            "bytes written a byte",
            "by the device",
            "pages of checkpoints",
            "records an update, bytes",
            "updates",
            "checkpoints",
            "log full, ms",
            "p99.9 with a checkpoint, µs",
            "without, µs"));
    Stream.concat(OWN.stream(), PEERS.stream())
        .filter(row -> results.median(row.name(WRITTEN)).isPresent())
        .forEach(
            row -> {
              List<Double> values =
                  MEASURED.stream()
                      .map(each -> results.median(row.name(each)).orElse(Double.NaN))
                      .toList();
              page.out()
                  .printf(
                      "| %s, %d | %.1f | %.1f | %.1f | %.0f | %,.0f | %.0f | %.0f | %.0f | %.0f"
                          + " |%n",
                      row.store,
                      row.threads,
                      values.get(0),
                      values.get(1),
                      values.get(2),
                      values.get(3),
                      values.get(4),
                      values.get(5),
                      values.get(6),
                      values.get(7) / 1e3,
                      values.get(8) / 1e3);
            });
  }
}
