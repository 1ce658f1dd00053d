package io.holdfast.jmh.bench.disk;

import io.holdfast.jmh.map.BenchmarkMap;
import io.holdfast.jmh.map.BenchmarkMap.ByteAccess;
import io.holdfast.jmh.map.Draws;
import io.holdfast.jmh.map.Items;
import io.holdfast.jmh.map.MapShape;
import io.holdfast.jmh.map.Maps;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;

/// Updates of entries drawn at random, with keys of 16 and values of 100 bytes, by some threads.
final class Updates {
  static final int VALUE_BYTES = 100;

  /// Of key and value.
  static final int PAYLOAD_BYTES = 16 + VALUE_BYTES;

  private Updates() {}

  /// One at a time, by one thread.
  interface Update {
    void run() throws IOException;
  }

  /// What threads do to a map, by their numbers.
  static IntFunction<Update> of(BenchmarkMap map, long entries) {
    return thread -> {
      Draws draws = new Draws(thread);
      ByteAccess access = map.bytes();
      long[] number = {(long) thread << 32}; // SQLite writes nothing where a value stays the same
      return () ->
          access.put(Items.key(draws.item(entries)), Items.value(++number[0], VALUE_BYTES));
    };
  }

  static MapShape shape(long entries) {
    return MapShape.ofYcsb(entries, VALUE_BYTES);
  }

  /// Fills a map in a directory, without waiting for the device at each entry, and closes it.
  static void fill(String name, Path directory, long entries) {
    String filler = name.equals(Maps.HOLDFAST_DISK) ? Maps.HOLDFAST_RELAXED : name;
    try (BenchmarkMap map = Maps.open(filler, directory, shape(entries))) {
      map.fillBytes(entries, VALUE_BYTES);
    }
  }

  /// Has threads update until time is over.
  ///
  /// @return how many updates were made
  static long run(int threads, boolean isVirtual, long nanos, IntFunction<Update> updates) {
    LongAdder made = new LongAdder();
    List<Throwable> failures = new ArrayList<>();
    long started = System.nanoTime();
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Update update = updates.apply(i);
      Runnable body =
          () -> {
            try {
              while (System.nanoTime() - started < nanos) {
                update.run();
                made.increment();
              }
            } catch (IOException | RuntimeException e) {
              synchronized (failures) {
                failures.add(e);
              }
            }
          };
      all.add(isVirtual ? Thread.ofVirtual().start(body) : Thread.ofPlatform().start(body));
    }
    try {
      for (Thread each : all) {
        each.join();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
    if (!failures.isEmpty()) {
      throw new IllegalStateException("an update failed", failures.getFirst());
    }
    return made.sum();
  }
}
