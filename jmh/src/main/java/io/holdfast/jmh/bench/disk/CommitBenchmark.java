package io.holdfast.jmh.bench.disk;

import io.holdfast.core.disk.Blocks;
import io.holdfast.core.disk.Disk;
import io.holdfast.core.disk.DiskFile;
import io.holdfast.jmh.bench.disk.Updates.Update;
import io.holdfast.jmh.map.BenchmarkMap;
import io.holdfast.jmh.map.Maps;
import io.holdfast.jmh.process.ChildProcess;
import io.holdfast.jmh.process.Scratch;
import io.holdfast.jmh.report.Measurement;
import io.holdfast.jmh.report.Page;
import io.holdfast.jmh.report.Results;
import io.holdfast.jmh.report.Target;
import io.holdfast.jmh.report.ThroughputTable;
import io.holdfast.jmh.suite.Experiment;
import io.holdfast.jmh.suite.Suite;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Updates of entries with keys of 16 and values of 100 bytes, each durable when it returns, by one
/// thread, by 64, and by 64 virtual ones. A time is that of all threads together, divided by the
/// updates.
///
/// All stores are open at once, on one device, and take turns, round by round: the device may be
/// shared, and slower in one minute than in the next.
@Experiment(
    question = "what does an update cost that survives a loss of power on a disk?",
    floor = "a write of 4 KiB that waits for the device, by the same thread",
    variables = "the store, the number of threads")
public final class CommitBenchmark implements Suite.Trial {
  private static final String WRITES = "Writes";
  private static final String ON_DISK = Maps.HOLDFAST_DISK;
  private static final String RELAXED = Maps.HOLDFAST_RELAXED;

  private static final int MANY = 64;
  private static final long ENTRIES = 100_000, QUICK_ENTRIES = 5_000;
  private static final int ROUNDS = 7, QUICK_ROUNDS = 1;
  private static final long RUN_NANOS = 1_000_000_000, QUICK_RUN_NANOS = 50_000_000;
  private static final int BARE_BLOCKS = 1 << 12;

  /// What is measured: a store, or bare writes, by some threads.
  private record Row(String subject, int threads, boolean isVirtual) {
    static Row of(String subject, int threads) {
      return new Row(subject, threads, false);
    }

    String name() {
      return CommitBenchmark.name(subject, threads, isVirtual);
    }
  }

  private static final List<Row> OWN =
      List.of(
          Row.of(WRITES, 1),
          Row.of(ON_DISK, 1),
          Row.of(ON_DISK, MANY),
          new Row(ON_DISK, MANY, true),
          Row.of(RELAXED, 1),
          Row.of(Maps.HOLDFAST, 1));

  private static final List<Row> PEERS =
      List.of(
          Row.of(Maps.ROCKSDB + Maps.POWER, 1),
          Row.of(Maps.ROCKSDB + Maps.POWER, MANY),
          Row.of(Maps.LMDB + Maps.POWER, 1),
          Row.of(Maps.LMDB + Maps.POWER, MANY),
          Row.of(Maps.H2_MV_STORE + Maps.POWER, 1),
          Row.of(Maps.SQLITE, 1),
          Row.of(Maps.ROCKSDB, 1));

  public CommitBenchmark() {}

  private static String name(String subject, int threads, boolean isVirtual) {
    return "CommitBenchmark.update(store=%s,threads=%d%s)"
        .formatted(subject, threads, isVirtual ? " virtual" : "");
  }

  private static String name(String subject, int threads) {
    return name(subject, threads, false);
  }

  public static Stream<Target> targets() {
    String one = name(ON_DISK, 1);
    String many = name(ON_DISK, MANY);
    String relaxed = name(RELAXED, 1);
    return Stream.of(
        new Target(one, name(WRITES, 1), 1 / 0.95),
        new Target(one, name(Maps.ROCKSDB + Maps.POWER, 1), 1),
        new Target(one, name(Maps.LMDB + Maps.POWER, 1), 1 / 1.5),
        new Target(one, name(Maps.H2_MV_STORE + Maps.POWER, 1), 1 / 2.0),
        new Target(one, name(Maps.SQLITE, 1), 1),
        new Target(many, name(Maps.ROCKSDB + Maps.POWER, MANY), 1 / 4.0),
        new Target(many, name(Maps.LMDB + Maps.POWER, MANY), 1 / 40.0),
        new Target(name(ON_DISK, MANY, true), many, 1),
        new Target(relaxed, name(Maps.ROCKSDB, 1), 1 / 2.5),
        new Target(relaxed, name(Maps.HOLDFAST, 1), 1 / 0.55));
  }

  /// Makes what a thread updates by.
  private interface Subject extends AutoCloseable {
    Update update(int seed);

    @Override
    void close() throws IOException;
  }

  private record StoreSubject(BenchmarkMap map, long entries) implements Subject {
    @Override
    public Update update(int seed) {
      return Updates.of(map, entries).apply(seed);
    }

    @Override
    public void close() {
      map.close();
    }
  }

  private record BareSubject(DiskFile file) implements Subject {
    static BareSubject of(Path path) throws IOException {
      DiskFile file = Disk.local().create(path);
      file.write(0, Blocks.allocate(BARE_BLOCKS * Blocks.BYTES));
      file.force();
      return new BareSubject(file);
    }

    @Override
    public Update update(int seed) {
      ByteBuffer block = Blocks.allocate(Blocks.BYTES);
      int[] next = {0};
      return () ->
          file.writeDurably((long) (next[0]++ % BARE_BLOCKS) * Blocks.BYTES, block.clear());
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }

  @Override
  public void run(Suite.Extent extent, Results results) {
    try (Scratch scratch = new Scratch();
        ChildProcess child =
            new ChildProcess(
                CommitBenchmark.class,
                scratch.file("errors"),
                true,
                extent.quick(),
                extent.peers(),
                scratch.directory())) {
      for (Row row : rows(extent.peers())) {
        List<Double> times = Stream.of(child.answer().split(",")).map(Double::valueOf).toList();
        results.add(row.name(), Measurement.NANOSECONDS, times);
      }
    }
  }

  private static List<Row> rows(boolean peers) {
    return peers ? Stream.concat(OWN.stream(), PEERS.stream()).toList() : OWN;
  }

  /// Says the times of each row, in their order.
  public static void main(String[] args) throws IOException {
    boolean quick = Boolean.parseBoolean(args[0]);
    List<Row> rows = rows(Boolean.parseBoolean(args[1]));
    Path directory = Path.of(args[2]);
    long entries = quick ? QUICK_ENTRIES : ENTRIES;
    long nanos = quick ? QUICK_RUN_NANOS : RUN_NANOS;
    Map<String, Subject> subjects = new HashMap<>();
    try {
      for (Row row : rows) {
        if (!subjects.containsKey(row.subject)) {
          Path its = Files.createDirectory(directory.resolve(row.subject));
          subjects.put(row.subject, open(row.subject, its, entries));
        }
        run(row, subjects.get(row.subject), nanos); // loads classes, and compiles
      }
      Map<Row, List<String>> times = new HashMap<>();
      for (int round = 0; round < (quick ? QUICK_ROUNDS : ROUNDS); round++) {
        for (Row row : rows) {
          times
              .computeIfAbsent(row, _ -> new ArrayList<>())
              .add(String.valueOf(run(row, subjects.get(row.subject), nanos)));
        }
      }
      for (Row row : rows) {
        ChildProcess.say(String.join(",", times.get(row)));
      }
    } finally {
      for (Subject each : subjects.values()) {
        each.close();
      }
    }
  }

  private static Subject open(String name, Path directory, long entries) throws IOException {
    if (name.equals(WRITES)) {
      return BareSubject.of(directory.resolve("writes"));
    }
    Updates.fill(name, directory, entries);
    BenchmarkMap map = Maps.open(name, directory, Updates.shape(entries));
    return new StoreSubject(map, entries);
  }

  /// @return nanoseconds an update, of all threads together
  private static double run(Row row, Subject subject, long nanos) {
    long started = System.nanoTime();
    long updates = Updates.run(row.threads, row.isVirtual, nanos, subject::update);
    return (double) (System.nanoTime() - started) / updates;
  }

  /// The report.
  public static void print(Results results, Page page) {
    page.out().printf("%nUpdates of 16 and %d bytes, each durable:%n%n", Updates.VALUE_BYTES);
    ThroughputTable.heading(
        page.out(), "store, threads", List.of("µs an update", "updates a second", "half within"));
    rows(true)
        .forEach(
            row ->
                results
                    .time(row.name())
                    .ifPresent(
                        time ->
                            page.out()
                                .printf(
                                    "| %s, %d%s | %.1f | %,.0f | %.1f to %.1f |%n",
                                    row.subject,
                                    row.threads,
                                    row.isVirtual ? " virtual" : "",
                                    time.getPercentile(50) / 1e3,
                                    1e9 / time.getPercentile(50),
                                    time.getPercentile(25) / 1e3,
                                    time.getPercentile(75) / 1e3)));
  }
}
