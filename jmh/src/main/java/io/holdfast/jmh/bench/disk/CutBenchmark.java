package io.holdfast.jmh.bench.disk;

import io.holdfast.core.Durability;
import io.holdfast.core.disk.Disk;
import io.holdfast.core.disk.DiskFile;
import io.holdfast.core.redo.Disks;
import io.holdfast.jmh.bench.disk.Updates.Update;
import io.holdfast.jmh.map.BenchmarkMap;
import io.holdfast.jmh.map.Draws;
import io.holdfast.jmh.map.HoldfastMap;
import io.holdfast.jmh.map.Items;
import io.holdfast.jmh.map.Maps;
import io.holdfast.jmh.process.ChildProcess;
import io.holdfast.jmh.process.Scratch;
import io.holdfast.jmh.report.Bound;
import io.holdfast.jmh.report.Page;
import io.holdfast.jmh.report.Results;
import io.holdfast.jmh.report.Target;
import io.holdfast.jmh.report.ThroughputTable;
import io.holdfast.jmh.suite.Experiment;
import io.holdfast.jmh.suite.Suite;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/// A process updates entries until our log is as full as it gets, because a checkpoint never ends;
/// or as many with a peer, whose log keeps them; and is killed. What it left is copied, without
/// `NAME.live`, which a loss of power takes; and opened by a process that is new, some times over:
/// `cached` with the copies in the page cache, `cold` without. Measured is from before the opening
/// until one entry was read.
@Experiment(
    question = "how long is an opening behind a loss of power, with as much log as there can be?",
    floor = "none: RocksDB with as many updates in its log",
    variables = "the store; whether its files are in the page cache")
public final class CutBenchmark implements Suite.Trial {
  private static final List<String> STORES = List.of(Maps.HOLDFAST_DISK, Maps.ROCKSDB);
  private static final List<String> CACHES = List.of("cached", "cold");
  private static final long ENTRIES = 1_000_000, QUICK_ENTRIES = 20_000;
  private static final int LOG_BYTES = 1 << 26, QUICK_LOG_BYTES = 1 << 22;
  private static final int OPENINGS = 7, QUICK_OPENINGS = 1;
  private static final double MOST_MS = 1_000;
  private static final long STILL_MILLIS = 1_000;

  public CutBenchmark() {}

  private static String name(String what, String store) {
    return "CutBenchmark.%s(store=%s)".formatted(what, store);
  }

  public static Stream<Target> targets() {
    return CACHES.stream()
        .map(cache -> new Target(name(cache, Maps.HOLDFAST_DISK), name(cache, Maps.ROCKSDB), 1));
  }

  public static Stream<Bound> bounds() {
    return CACHES.stream().map(cache -> new Bound(name(cache, Maps.HOLDFAST_DISK), MOST_MS));
  }

  @Override
  public void run(Suite.Extent extent, Results results) throws IOException {
    long entries = extent.quick() ? QUICK_ENTRIES : ENTRIES;
    long updates = extent.quick() ? QUICK_LOG_BYTES : LOG_BYTES;
    for (String store : extent.peers() ? STORES : STORES.subList(0, 1)) {
      try (Scratch scratch = new Scratch()) {
        Path left = Files.createDirectory(scratch.file("left"));
        updates = update(store, entries, updates, left, scratch);
        results.add(name("updates", store), "updates", List.of((double) updates));
        for (String cache : CACHES) {
          List<Double> millis = new ArrayList<>();
          for (int i = 0; i < (extent.quick() ? QUICK_OPENINGS : OPENINGS); i++) {
            millis.add(open(store, entries, left, cache.equals("cold"), scratch));
          }
          results.add(name(cache, store), "ms", millis);
        }
      }
    }
  }

  /// @param most bytes of our log, or updates of others
  /// @return how many updates were made
  private static long update(
      String store, long entries, long most, Path directory, Scratch scratch) {
    try (ChildProcess child =
        new ChildProcess(
            CutBenchmark.class,
            scratch.file("errors"),
            true,
            "update",
            store,
            entries,
            directory,
            most)) {
      return Long.parseLong(child.answer());
    }
  }

  /// @return milliseconds
  private static double open(String store, long entries, Path left, boolean cold, Scratch scratch)
      throws IOException {
    Path copy = Files.createDirectory(scratch.file("copy"));
    try (Stream<Path> files = Files.list(left)) {
      for (Path file : files.filter(each -> !each.toString().endsWith(".live")).toList()) {
        Path to = copy.resolve(file.getFileName());
        Files.copy(file, to);
        force(to, cold);
      }
    }
    try (ChildProcess child =
        new ChildProcess(
            CutBenchmark.class, scratch.file("errors"), true, "open", store, entries, copy)) {
      return Long.parseLong(child.answer()) / 1e6;
    } finally {
      Scratch.delete(copy);
    }
  }

  /// @param cold whether it is not to be in the page cache
  private static void force(Path file, boolean cold) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of("dd", "of=" + file, "conv=notrunc,fsync", "count=0", "status=none"));
    if (cold) {
      command.add("oflag=nocache");
    }
    try {
      int code = new ProcessBuilder(command).inheritIO().start().waitFor();
      if (code != 0) {
        throw new IOException("%s: code=%d".formatted(command, code));
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
  }

  /// @param arguments `update` or `open`; the store, entries, a directory; to update, what is most
  public static void main(String[] arguments) throws Exception {
    String store = arguments[1];
    long entries = Long.parseLong(arguments[2]);
    Path directory = Path.of(arguments[3]);
    if (arguments[0].equals("update")) {
      int most = Integer.parseInt(arguments[4]);
      Updates.fill(store, directory, entries);
      ChildProcess.say(
          store.equals(Maps.HOLDFAST_DISK)
              ? fillLog(entries, directory, most)
              : update(store, entries, directory, most));
    } else {
      long started = System.nanoTime();
      BenchmarkMap map = Maps.open(store, directory, Updates.shape(entries));
      map.bytes().get(Items.key(new Draws(started).item(entries)));
      ChildProcess.say(System.nanoTime() - started);
    }
    Thread.sleep(Long.MAX_VALUE); // until it is killed
  }

  private static long update(String store, long entries, Path directory, int updates)
      throws IOException {
    BenchmarkMap map = Maps.open(store, directory, Updates.shape(entries));
    Update update = Updates.of(map, entries).apply(0);
    for (int i = 0; i < updates; i++) {
      update.run();
    }
    return updates;
  }

  /// Updates until nothing is updated any more.
  private static long fillLog(long entries, Path directory, int logBytes)
      throws IOException, InterruptedException {
    CountDownLatch opened = new CountDownLatch(1);
    Disk disk = withoutEnd(Disk.local(), HoldfastMap.file(directory), opened);
    HoldfastMap map =
        HoldfastMap.on(Disks.logged(disk, logBytes, Durability.PROCESS_CRASH), directory);
    opened.countDown();
    AtomicLong made = new AtomicLong();
    Update update = Updates.of(map, entries).apply(0);
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              while (true) {
                try {
                  update.run();
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
                made.incrementAndGet();
              }
            });
    long before;
    do {
      before = made.get();
      Thread.sleep(STILL_MILLIS);
    } while (made.get() > before || before == 0);
    return before;
  }

  /// A disk of which a file's `force` does not return, once it was opened.
  private static Disk withoutEnd(Disk disk, Path endless, CountDownLatch opened) {
    return proxy(
        Disk.class,
        disk,
        (name, arguments, result) ->
            name.equals("open") && arguments[0].equals(endless)
                ? proxy(
                    DiskFile.class,
                    (DiskFile) result,
                    (call, _, done) -> {
                      if (call.equals("force") && opened.getCount() == 0) {
                        Thread.sleep(Long.MAX_VALUE);
                      }
                      return done;
                    })
                : result);
  }

  private interface After {
    Object call(String name, Object[] arguments, Object result) throws InterruptedException;
  }

  private static <T> T proxy(Class<T> type, T of, After after) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> {
              try {
                return after.call(method.getName(), arguments, method.invoke(of, arguments));
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  public static void print(Results results, Page page) {
    page.out().printf("%nOpened behind a loss of power, with as much log as there can be:%n%n");
    ThroughputTable.heading(
        page.out(), "store", List.of("updates in the log", "cached, ms", "cold, ms"));
    STORES.stream()
        .filter(store -> results.median(name("updates", store)).isPresent())
        .forEach(
            store ->
                page.out()
                    .printf(
                        "| %s | %,.0f | %s | %s |%n",
                        store,
                        results.median(name("updates", store)).get(),
                        told(results, name("cached", store)),
                        told(results, name("cold", store))));
  }

  private static String told(Results results, String name) {
    return results
        .time(name)
        .map(ms -> "%.0f (%.0f to %.0f)".formatted(ms.getPercentile(50), ms.getMin(), ms.getMax()))
        .orElse(ThroughputTable.NOT_MEASURED);
  }
}
