package io.holdfast.jmh.bench.map;

import io.holdfast.jmh.map.BenchmarkMap.ByteAccess;
import io.holdfast.jmh.map.HoldfastMap;
import io.holdfast.jmh.map.Items;
import io.holdfast.jmh.process.Scratch;
import io.holdfast.jmh.report.Results;
import java.lang.management.ManagementFactory;
import java.util.List;
import javax.management.JMException;
import javax.management.ObjectName;

/// What the map takes of the media for an entry, and of the heap for any number of them: counted.
public final class MapSpace {
  private static final int LINE_BYTES = 64;
  private static final int KEY_BYTES = 16;
  public static final List<Integer> VALUE_BYTES = List.of(8, 24, 100, 400, 1024);

  public static final String HEAP = "SpaceBenchmark.heapOfOneEntryMore";
  private static final int FEW_ENTRIES = 10_000;

  private MapSpace() {}

  public static String mediaName(int valueBytes) {
    return "SpaceBenchmark.fileOverLines(valueBytes=%d)".formatted(valueBytes);
  }

  /// Adds what so many entries take.
  static void measure(int entries, Results results) {
    for (int valueBytes : VALUE_BYTES) {
      results.add(mediaName(valueBytes), "times", List.of(media(entries, valueBytes).ratio()));
    }
    double more = heapBytes(entries) - heapBytes(FEW_ENTRIES);
    results.add(HEAP, "bytes", List.of(more / (entries - FEW_ENTRIES)));
  }

  /// What an entry takes.
  ///
  /// @param payload key and value, in whole lines, in bytes
  /// @param blocks of the region's heap, for each entry, in bytes
  /// @param region what the file is long, for each entry, in bytes
  record Media(int payload, double blocks, double region) {
    double ratio() {
      return blocks / payload;
    }
  }

  /// Counts what is taken when so many entries have been inserted.
  ///
  /// @param valueBytes of each value; the keys have 16
  static Media media(int entries, int valueBytes) {
    try (Scratch scratch = new Scratch();
        HoldfastMap map = HoldfastMap.open(scratch.directory(), HoldfastMap.PROCESS_CRASH)) {
      fill(map, entries, valueBytes);
      int lines = (KEY_BYTES + valueBytes + LINE_BYTES - 1) / LINE_BYTES;
      return new Media(
          lines * LINE_BYTES,
          (double) map.usage().liveBytes() / entries,
          (double) map.usage().regionBytes() / entries);
    }
  }

  /// Bytes of the heap that an open map with so many entries keeps, used and opened again.
  static long heapBytes(int entries) {
    try (Scratch scratch = new Scratch()) {
      try (HoldfastMap map = HoldfastMap.open(scratch.directory(), HoldfastMap.PROCESS_CRASH)) {
        fill(map, entries, 8);
      }
      long open;
      try (HoldfastMap map = HoldfastMap.open(scratch.directory(), HoldfastMap.PROCESS_CRASH)) {
        ByteAccess access = map.bytes();
        for (int i = 0; i < entries; i++) {
          access.put(Items.key(i), access.get(Items.key(i)));
        }
        open = liveBytes();
      }
      return open - liveBytes(); // not less what was there before: by now, more classes are
    }
  }

  private static void fill(HoldfastMap map, int entries, int valueBytes) {
    ByteAccess access = map.bytes();
    for (int i = 0; i < entries; i++) {
      access.put(Items.key(i), Items.value(i, valueBytes));
    }
  }

  /// What all objects take that can be reached, as HotSpot's histogram of classes says.
  static long liveBytes() {
    try {
      String histogram =
          (String)
              ManagementFactory.getPlatformMBeanServer()
                  .invoke(
                      new ObjectName("com.sun.management:type=DiagnosticCommand"),
                      "gcClassHistogram",
                      new Object[] {new String[0]},
                      new String[] {String[].class.getName()});
      String total = histogram.lines().filter(line -> line.startsWith("Total")).findFirst().get();
      return Long.parseLong(total.strip().split("\\s+")[2]);
    } catch (JMException e) {
      throw new IllegalStateException("this JVM has no histogram of its heap", e);
    }
  }
}
