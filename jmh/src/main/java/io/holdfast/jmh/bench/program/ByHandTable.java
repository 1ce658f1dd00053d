package io.holdfast.jmh.bench.program;

import io.holdfast.jmh.byhand.Area;
import io.holdfast.jmh.byhand.Copies;
import io.holdfast.jmh.byhand.Insertions;
import io.holdfast.jmh.byhand.Way;
import io.holdfast.jmh.count.Counted;
import io.holdfast.jmh.count.CountingDomain;
import io.holdfast.jmh.process.Scratch;
import java.util.ArrayList;
import java.util.List;

/// What copies and insertions take by a section and by hand, counted (Atlas, 6.3, Figures 7(b) and
/// 7(c)).
///
/// Log bytes are those of section logs' rings: not the 24 bytes of a copy's record by hand, and not
/// what a section logs beyond the ring, so lines say what was flushed in all.
public final class ByHandTable {
  /// Of a copy.
  static final List<Integer> BYTES = List.of(64, 512, 4_096);

  private static final List<Way> DURABLE = List.of(Way.STORES, Way.RANGES, Way.BY_HAND);
  private static final int TIMES = 1_000;

  private ByHandTable() {}

  public static List<Counted> count() {
    List<Counted> rows = new ArrayList<>();
    for (int bytes : BYTES) {
      for (Way way : DURABLE) {
        rows.add(copy(way, bytes));
      }
    }
    for (Way way : DURABLE) {
      rows.add(insert(way));
    }
    return rows;
  }

  static Counted copy(Way way, int bytes) {
    CountingDomain domain = new CountingDomain();
    long all = 2L * bytes;
    try (Scratch scratch = new Scratch();
        Area area = Area.create(way, scratch.file("area"), _ -> domain, Copies.areaBytes(all))) {
      Copies copies = Copies.in(area, way, all);
      return new Counted.Counter(domain)
          .count(
              "copy of %,d bytes, %s".formatted(bytes, way),
              TIMES,
              i -> copies.copy(i % 2 * bytes, (i + 1) % 2 * bytes, bytes));
    }
  }

  static Counted insert(Way way) {
    CountingDomain domain = new CountingDomain();
    long bytes = Insertions.areaBytes(TIMES);
    try (Scratch scratch = new Scratch();
        Area area = Area.create(way, scratch.file("area"), _ -> domain, bytes)) {
      Insertions list = Insertions.in(area, way);
      return new Counted.Counter(domain).count("insertion, " + way, TIMES, list::insert);
    }
  }
}
