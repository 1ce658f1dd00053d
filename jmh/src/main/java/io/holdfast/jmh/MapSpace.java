package io.holdfast.jmh;

import io.holdfast.jmh.map.BenchmarkMap.ByteAccess;
import io.holdfast.jmh.map.HoldfastMap;
import io.holdfast.jmh.map.Items;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.util.List;
import javax.management.JMException;
import javax.management.ObjectName;

/// What the map takes of the media for an entry, and of the heap for any number of them: counted.
final class MapSpace {
  private static final int LINE_BYTES = 64;
  private static final int MILLION = 1_000_000;

  /// The most that an entry may take of the media, for each byte of its payload in whole lines.
  private static final double RATIO_MAX = 1.5;

  private static final int KEY_BYTES = 16;
  private static final List<Integer> VALUE_BYTES = List.of(8, 24, 100, 400, 1024);

  private MapSpace() {}

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

  static void print(PrintWriter out) {
    out.printf(
        "| a million entries of | payload, in lines | bytes an entry | of the file | ratio | at"
            + " most |%n|---|---|---|---|---|---|%n");
    for (int valueBytes : VALUE_BYTES) {
      Media media = media(MILLION, valueBytes);
      out.printf(
          "| %d + %d bytes | %d | %.1f | %.1f | %.2f | %.1f: %s |%n",
          KEY_BYTES,
          valueBytes,
          media.payload,
          media.blocks,
          media.region,
          media.ratio(),
          RATIO_MAX,
          media.ratio() <= RATIO_MAX ? "met" : "MISSED");
    }
    out.printf("%n| entries | bytes of the heap |%n|---|---|%n");
    for (int entries : List.of(10_000, 100_000, MILLION)) {
      out.printf("| %,d | %,d |%n", entries, heapBytes(entries));
    }
  }
}
