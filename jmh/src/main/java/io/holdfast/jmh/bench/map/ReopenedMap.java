package io.holdfast.jmh.bench.map;

import io.holdfast.jmh.map.BenchmarkMap;
import io.holdfast.jmh.map.BenchmarkMap.LongAccess;
import io.holdfast.jmh.map.BenchmarkMap.MissingException;
import io.holdfast.jmh.map.Draws;
import io.holdfast.jmh.map.HoldfastMap;
import io.holdfast.jmh.map.Items;
import io.holdfast.jmh.map.MapShape;
import io.holdfast.jmh.map.Maps;
import io.holdfast.jmh.process.ChildProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;

/// What {@link ReopenBenchmark} has done in processes of their own, by their first argument.
///
/// Update n puts the number n to item n modulo the size; the number of the last update that was
/// acknowledged stands in a mapped file, which outlives the process as the map should.
///
/// | role | what it does |
/// |---|---|
/// | `work` | fills the map if it is empty, says so, and updates entries until it is killed |
/// | `fresh` | opens the map, gets one entry, says so |
/// | `warm` | opens a small map over and over; then, for each line `open`, opens the map, gets one entry, says how long that took, and closes it, or that it was refused; for each line `lost`, says how many of the last updates are not there |
/// | `rebuild` | opens our map as after a loss of power, says how long that took |
public final class ReopenedMap {
  /// The answer of who can't open the map.
  static final String REFUSED = "refused";

  private static final int SMALL = 1_000;
  private static final int WARM_UPS_MAX = 300;
  private static final long WARM_UP_NS = TimeUnit.SECONDS.toNanos(2);

  private final String name;
  private final Path directory;
  private final MapShape shape;

  private ReopenedMap(String name, Path directory, long entries) {
    this.name = name;
    this.directory = directory;
    this.shape = MapShape.ofLongs(entries);
  }

  /// @param arguments the role, the map, its directory, how many entries it has
  public static void main(String[] arguments) throws IOException {
    Path directory = Path.of(arguments[2]);
    ReopenedMap reopened = new ReopenedMap(arguments[1], directory, Long.parseLong(arguments[3]));
    switch (arguments[0]) {
      case "work" -> reopened.work();
      case "fresh" -> reopened.fresh();
      case "warm" -> reopened.warm();
      case "rebuild" -> reopened.rebuild();
      default -> throw new IllegalArgumentException("no such role: " + arguments[0]);
    }
  }

  private Path beside(String suffix) {
    return directory.resolveSibling(directory.getFileName() + suffix);
  }

  /// The number of the last update that was acknowledged.
  private MappedByteBuffer acknowledged() throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            beside(".acknowledged"),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      return channel.map(FileChannel.MapMode.READ_WRITE, 0, Long.BYTES);
    }
  }

  private void work() throws IOException {
    Path filled = beside(".filled");
    BenchmarkMap map = Maps.open(name, directory, shape);
    LongAccess access = map.longs();
    MappedByteBuffer acknowledged = acknowledged();
    long entries = shape.entries();
    if (Files.notExists(filled)) {
      map.fill(entries);
      acknowledged.putLong(0, entries - 1);
      Files.createFile(filled);
    }
    ChildProcess.say("working");
    for (long update = acknowledged.getLong(0) + 1; ; update++) {
      access.put(Items.longKey(update % entries), update);
      acknowledged.putLong(0, update);
    }
  }

  /// How many acknowledged updates are gone, of those that no later one has replaced.
  private long lost() throws IOException {
    long last = acknowledged().getLong(0);
    long entries = shape.entries();
    long lost = 0;
    try (BenchmarkMap map = Maps.open(name, directory, shape)) {
      LongAccess access = map.longs();
      for (long update = last - entries + 1; update <= last; update++) {
        try {
          lost += access.get(Items.longKey(update % entries)) < update ? 1 : 0;
        } catch (MissingException _) {
          lost++;
        }
      }
    }
    return lost;
  }

  /// Gets an entry, and looks whether its value is one that was put there. That there is none is an
  /// answer too: {@link #lost} counts it.
  private void get(BenchmarkMap map) {
    long item = new Draws(System.nanoTime()).item(shape.entries());
    long value;
    try {
      value = map.longs().get(Items.longKey(item));
    } catch (MissingException _) {
      return;
    }
    if (value % shape.entries() != item) {
      throw new IllegalStateException(
          "%s: a value that nobody put: item=%d, value=%d".formatted(name, item, value));
    }
  }

  private void fresh() {
    get(Maps.open(name, directory, shape));
    ChildProcess.say("answered");
    Runtime.getRuntime().halt(0);
  }

  private void warm() throws IOException {
    Path beside = directory.resolveSibling("small");
    ReopenedMap small = new ReopenedMap(name, Files.createDirectory(beside), SMALL);
    try (BenchmarkMap map = Maps.open(name, small.directory, small.shape)) {
      map.fill(SMALL);
    }
    long started = System.nanoTime();
    for (int i = 0; i < WARM_UPS_MAX && System.nanoTime() - started < WARM_UP_NS; i++) {
      small.openAndGet();
    }
    ChildProcess.say("warm");
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      ChildProcess.say(line.equals("lost") ? lost() : openAndGet());
    }
  }

  /// @return nanoseconds, or {@link #REFUSED}
  private String openAndGet() {
    long started = System.nanoTime();
    BenchmarkMap map;
    try {
      map = Maps.open(name, directory, shape);
    } catch (RuntimeException e) {
      e.printStackTrace();
      return REFUSED;
    }
    get(map);
    long nanos = System.nanoTime() - started;
    map.close();
    return String.valueOf(nanos);
  }

  private void rebuild() {
    long[] nanos = new long[1];
    try (HoldfastMap map = HoldfastMap.openAfterReboot(directory, nanos)) {
      get(map);
      if (map.entries().size() != shape.entries()) {
        throw new IllegalStateException("entries=" + map.entries().size());
      }
    }
    ChildProcess.say(nanos[0]);
  }
}
