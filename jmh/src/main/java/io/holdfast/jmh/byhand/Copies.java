package io.holdfast.jmh.byhand;

import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.section.Section;

/// Copies bytes from one place of an area to another (Atlas, 6.3, Figure 7(b)). This one leaves it
/// to chance what a crash leaves.
///
/// For one thread.
public class Copies {
  static final int LINE_BYTES = RegionLayout.LINE_BYTES;

  final Area area;
  final long data;
  private final long bytes;
  private byte[] buffer = new byte[0];

  Copies(Area area, long bytes) {
    this.area = area;
    this.data = area.at + LINE_BYTES;
    this.bytes = bytes;
  }

  /// What an area for so many bytes takes: a line more, for a record.
  public static long areaBytes(long bytes) {
    return LINE_BYTES + bytes;
  }

  /// The bytes of an area, as they were left.
  ///
  /// @param bytes the same each time
  public static Copies in(Area area, Way way, long bytes) {
    return switch (way) {
      case TRANSIENT -> new Copies(area, bytes);
      case STORES -> new ByStores(area, bytes);
      case RANGES -> new ByRanges(area, bytes);
      case BY_HAND -> new RedoneCopies(area, bytes);
    };
  }

  /// @param from a multiple of 8, as the others are
  /// @throws IllegalArgumentException if the ranges overlap, or are not in the area
  public final void copy(long from, long to, int count) {
    require(from, to, count);
    copyChecked(from, to, count);
  }

  final void require(long from, long to, long count) {
    boolean inside = Math.min(from, to) >= 0 && count > 0 && Math.max(from, to) + count <= bytes;
    boolean words = ((from | to | count) & Long.BYTES - 1) == 0;
    if (!inside || !words || Math.abs(from - to) < count) {
      throw new IllegalArgumentException(
          "words that do not overlap are required: from=%d, to=%d, count=%d, bytes=%d"
              .formatted(from, to, count, bytes));
    }
  }

  void copyChecked(long from, long to, int count) {
    move(from, to, count);
  }

  final void move(long from, long to, int count) {
    if (buffer.length < count) {
      buffer = new byte[count];
    }
    area.memory.readBytes(data + from, buffer, 0, count);
    area.memory.writeBytesPlain(data + to, buffer, 0, count);
  }

  public final long word(long offset) {
    return area.memory.readPlain(data + offset);
  }

  private static final class ByStores extends Copies {
    ByStores(Area area, long bytes) {
      super(area, bytes);
    }

    @Override
    void copyChecked(long from, long to, int count) {
      area.section(
          () -> {
            Section section = area.region().sections().current();
            for (long i = 0; i < count; i += Long.BYTES) {
              section.write(data + to + i, area.memory.readPlain(data + from + i));
            }
          });
    }
  }

  private static final class ByRanges extends Copies {
    ByRanges(Area area, long bytes) {
      super(area, bytes);
    }

    @Override
    void copyChecked(long from, long to, int count) {
      area.section(() -> area.region().sections().current().copy(data + from, data + to, count));
    }
  }
}
