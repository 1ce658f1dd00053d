package io.holdfast.stress.soak;

import io.holdfast.Holdfast;
import io.holdfast.core.memory.SpanTable.Use;
import io.holdfast.recovery.Progress;
import io.holdfast.recovery.RegionInfo;
import io.holdfast.recovery.RegionView;
import io.holdfast.recovery.Verification;
import io.holdfast.recovery.VerifyReport;
import io.holdfast.stress.kill.Survived;
import io.holdfast.stress.kill.Violation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/// Tokens go round from a queue to a map to a sorted map and back, each move in one section, by
/// several threads, with values of all sizes that are written anew. After each round every token is
/// in exactly one place, with the value that it was given.
///
/// How much is stored stays about the same, so file, logs, heap and threads have no reason to grow,
/// and sections none to take longer. The store is closed, verified and opened again after each
/// round.
public final class Soak {
  /// Until the file is as long as it has to be, and what is loaded late is loaded.
  private static final int SETTLING_ROUNDS = 3;

  private static final int ROUNDS = 12;
  private static final int TOKENS = 2_000;
  private static final int RECORDED_MOVES = 2_000;

  /// Some are in several lines, some are large blocks.
  private static final int[] BYTES_MAX = {40, 300, 3_000};

  private final Path file;
  private final int threads;
  private final SplittableRandom random;
  private final Survived survives;

  /// @param file is made
  /// @param survives what the store is opened for
  public Soak(Path file, int threads, long seed, Survived survives) {
    this.file = file;
    this.survives = survives;
    this.threads = threads;
    this.random = new SplittableRandom(seed);
    try (Holdfast store = open()) {
      Places places = new Places(store);
      for (long token = 0; token < TOKENS; token++) {
        places.queue.add(value(token, random));
      }
    }
  }

  private Holdfast open() {
    return Holdfast.open(file, survives.options());
  }

  private record Places(
      java.util.Queue<byte[]> queue,
      Map<Long, byte[]> map,
      java.util.NavigableMap<Long, byte[]> tree) {
    Places(Holdfast store) {
      this(
          store.queue("queue", byte[].class),
          store.hashMap("map", Long.class, byte[].class),
          store.treeMap("tree", Long.class, byte[].class));
    }
  }

  /// A token's number, and as many bytes as chance will have it, all alike.
  private static byte[] value(long token, RandomGenerator random) {
    byte[] value = new byte[8 + random.nextInt(BYTES_MAX[random.nextInt(BYTES_MAX.length)])];
    Arrays.fill(value, (byte) token);
    java.nio.ByteBuffer.wrap(value).putLong(0, token);
    return value;
  }

  /// @throws Violation if it is not what a token has
  private static long tokenOf(byte[] value) {
    long token = java.nio.ByteBuffer.wrap(value).getLong(0);
    for (int i = 8; i < value.length; i++) {
      if (value[i] != (byte) token) {
        throw new Violation("a value is torn: token=%d, byte=%d".formatted(token, i));
      }
    }
    return token;
  }

  /// Goes through twelve rounds, or to the first after which something has grown.
  ///
  /// @param length of all rounds together
  /// @param told is told of each round, when the store is closed
  /// @return what has grown, or drifted; empty if nothing has
  /// @throws Violation if a token is not where it must be, or the store is not sound
  public String run(Duration length, Consumer<Round> told) throws InterruptedException {
    List<Round> rounds = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      Round round = round(length.dividedBy(ROUNDS));
      rounds.add(round);
      told.accept(round);
      if (i >= SETTLING_ROUNDS) {
        String growth = round.growthSince(rounds.get(SETTLING_ROUNDS - 1));
        if (!growth.isEmpty()) {
          return growth;
        }
      }
    }
    List<Events> events = rounds.stream().skip(SETTLING_ROUNDS).map(Round::events).toList();
    int third = events.size() / 3;
    return Events.drift(events.subList(0, third), events.subList(2 * third, events.size()));
  }

  private Round round(Duration length) throws InterruptedException {
    long moves = 0;
    Events events;
    try (Holdfast store = open()) {
      Places places = new Places(store);
      moves = move(store, places, length);
      check(places);
      SplittableRandom recorded = random.split();
      events =
          Events.of(
              file.resolveSibling("soak.jfr"),
              () -> {
                for (int i = 0; i < RECORDED_MOVES; i++) {
                  move(store, places, recorded);
                }
              });
      survives.checkQuiet(store);
    }
    long logBytes = verify();
    System.gc();
    try {
      return new Round(
          moves,
          Files.size(file),
          logBytes,
          ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
          ManagementFactory.getThreadMXBean().getThreadCount(),
          events);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Verifies the closed store.
  ///
  /// @return how many of its bytes are the logs'
  private long verify() {
    VerifyReport report = Verification.verify(file, Soak.class.getClassLoader(), Progress.NONE);
    Violation.unless(
        report.verdict() == VerifyReport.Verdict.SOUND,
        "the store is not sound: %s %s",
        report.summary(),
        report.faults());
    try (RegionView view = RegionView.open(file)) {
      Map<Use, Long> spaces = RegionInfo.of(view).spaces();
      return spaces.get(Use.LOG_GROUP) + spaces.get(Use.LOG_CHUNK);
    }
  }

  private long move(Holdfast store, Places places, Duration length) throws InterruptedException {
    long end = System.nanoTime() + length.toNanos();
    try (ExecutorService workers = Executors.newFixedThreadPool(threads)) {
      List<Future<Long>> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        SplittableRandom mine = random.split();
        all.add(workers.submit(() -> move(store, places, end, mine)));
      }
      long moves = 0;
      for (Future<Long> each : all) {
        moves += each.get();
      }
      return moves;
    } catch (ExecutionException e) {
      throw new Violation("a thread failed: " + e.getCause());
    }
  }

  private static long move(Holdfast store, Places places, long end, RandomGenerator random) {
    long moves = 0;
    while (System.nanoTime() < end) {
      moves++;
      move(store, places, random);
    }
    return moves;
  }

  private static void move(Holdfast store, Places places, RandomGenerator random) {
    switch (random.nextInt(3)) {
      case 0 -> store.atomically(() -> fromQueueToMap(places, random));
      case 1 -> store.atomically(() -> fromMapToTree(places, random));
      default -> store.atomically(() -> fromTreeToQueue(places, random));
    }
  }

  private static void fromQueueToMap(Places places, RandomGenerator random) {
    byte[] value = places.queue.poll();
    if (value != null) {
      long token = tokenOf(value);
      places.map.put(token, value(token, random));
    }
  }

  private static void fromMapToTree(Places places, RandomGenerator random) {
    byte[] value = places.map.remove(random.nextLong(TOKENS));
    if (value != null) {
      long token = tokenOf(value);
      places.tree.put(token, value(token, random));
    }
  }

  private static void fromTreeToQueue(Places places, RandomGenerator random) {
    Map.Entry<Long, byte[]> entry = places.tree.ceilingEntry(random.nextLong(TOKENS));
    byte[] value = entry == null ? null : places.tree.remove(entry.getKey());
    if (value != null) {
      places.queue.add(value(tokenOf(value), random));
    }
  }

  private static void check(Places places) {
    Set<Long> seen = new HashSet<>();
    places.queue.forEach(value -> see(seen, tokenOf(value)));
    places.map.forEach((token, value) -> see(seen, token, value));
    places.tree.forEach((token, value) -> see(seen, token, value));
    if (seen.size() != TOKENS) {
      throw new Violation("tokens are lost: found=%d, made=%d".formatted(seen.size(), TOKENS));
    }
  }

  private static void see(Set<Long> seen, long key, byte[] value) {
    if (tokenOf(value) != key) {
      throw new Violation("another's value: key=%d, token=%d".formatted(key, tokenOf(value)));
    }
    see(seen, key);
  }

  private static void see(Set<Long> seen, long token) {
    if (!seen.add(token)) {
      throw new Violation("a token is there twice: token=%d".formatted(token));
    }
  }
}
