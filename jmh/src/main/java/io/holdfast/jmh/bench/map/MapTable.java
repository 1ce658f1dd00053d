package io.holdfast.jmh.bench.map;

import io.holdfast.codec.Encoded;
import io.holdfast.codec.EncodedEntry;
import io.holdfast.jmh.count.Counted;
import io.holdfast.jmh.count.CountingDomain;
import io.holdfast.jmh.map.BenchmarkMap.ByteAccess;
import io.holdfast.jmh.map.BenchmarkMap.LongAccess;
import io.holdfast.jmh.map.Draws;
import io.holdfast.jmh.map.HoldfastMap;
import io.holdfast.jmh.map.Items;
import io.holdfast.jmh.map.Workload;
import io.holdfast.jmh.map.YcsbRequests;
import io.holdfast.jmh.process.Scratch;
import java.util.ArrayList;
import java.util.List;

/// What the map's operations take where the power may fail, counted. No clock is involved.
public final class MapTable {
  private static final int ENTRIES = 100_000;
  private static final int OPERATIONS = 20_000;
  private static final int VALUE_BYTES = 100;

  private MapTable() {}

  public static List<Counted> count() {
    List<Counted> rows = inSlots();
    rows.addAll(inTheIndex());
    return rows;
  }

  static List<Counted> inSlots() {
    CountingDomain domain = new CountingDomain();
    List<Counted> rows = new ArrayList<>();
    try (Scratch scratch = new Scratch();
        HoldfastMap map = HoldfastMap.open(scratch.directory(), _ -> domain)) {
      LongAccess longs = map.longs();
      ByteAccess bytes = map.bytes();
      Draws draws = new Draws(1);
      Counted.Counter counter = new Counted.Counter(domain);
      rows.add(
          counter.count("insert, growth included", ENTRIES, i -> longs.put(Items.longKey(i), i)));
      rows.add(
          counter.count(
              "update", OPERATIONS, i -> longs.put(Items.longKey(draws.item(ENTRIES)), i)));
      rows.add(
          counter.count("get", OPERATIONS, _ -> longs.get(Items.longKey(draws.item(ENTRIES)))));
      rows.add(
          counter.count("remove", OPERATIONS, i -> map.entries().remove(key(Items.longKey(i)))));
      // Twice: an update takes a spare slot, for which a stripe may add a chunk of 1,045 lines.
      for (int round = 0; round < 2; round++) {
        for (int i = 0; i < ENTRIES; i++) {
          bytes.put(Items.key(i), Items.value(i, VALUE_BYTES));
        }
      }
      for (Workload workload : MapNames.WORKLOADS) {
        YcsbRequests requests = new YcsbRequests(workload, ENTRIES, VALUE_BYTES, 0, 1);
        rows.add(counter.count("YCSB " + workload, OPERATIONS, _ -> requests.run(bytes)));
      }
      rows.add(batches("", 10, map, draws, counter));
      rows.add(batches("", 255, map, draws, counter));
    }
    return rows;
  }

  /// Entries of two words.
  static List<Counted> inTheIndex() {
    CountingDomain domain = new CountingDomain();
    List<Counted> rows = new ArrayList<>();
    try (Scratch scratch = new Scratch();
        HoldfastMap map = HoldfastMap.open(scratch.directory(), _ -> domain, true)) {
      LongAccess longs = map.longs();
      Draws draws = new Draws(1);
      Counted.Counter counter = new Counted.Counter(domain);
      rows.add(
          counter.count(
              "in the index: insert, growth included",
              ENTRIES,
              i -> longs.put(Items.longKey(i), i)));
      rows.add(
          counter.count(
              "in the index: update",
              OPERATIONS,
              i -> longs.put(Items.longKey(draws.item(ENTRIES)), i)));
      rows.add(
          counter.count(
              "in the index: remove",
              OPERATIONS,
              i -> map.entries().remove(key(Items.longKey(i)))));
      rows.add(
          counter.count(
              "in the index: insert again", OPERATIONS, i -> longs.put(Items.longKey(i), i)));
      rows.add(batches("in the index: ", 255, map, draws, counter));
    }
    return rows;
  }

  private static Encoded key(long key) {
    return Encoded.of(key);
  }

  /// Updates of so many entries at once, by entry.
  private static Counted batches(
      String where, int size, HoldfastMap map, Draws draws, Counted.Counter counter) {
    int batches = OPERATIONS / size;
    List<List<EncodedEntry>> entries = new ArrayList<>();
    for (int i = 0; i < batches; i++) {
      List<EncodedEntry> batch = new ArrayList<>();
      for (int j = 0; j < size; j++) {
        long item = OPERATIONS + draws.item(ENTRIES - OPERATIONS); // not those that were removed
        batch.add(new EncodedEntry(key(Items.longKey(item)), Encoded.of(i)));
      }
      entries.add(batch);
    }
    entries.forEach(map.entries()::putAll); // so that there are slots enough, and nothing grows
    return counter.count(
        where + "an entry of a batch of " + size,
        batches,
        size,
        i -> map.entries().putAll(entries.get(i)));
  }
}
