package io.holdfast.core.heap;

import static io.holdfast.core.memory.RegionLayout.SPAN_BYTES;

import java.util.Arrays;

/// Which slab holds a block, by span: in rows, so that the heap of this process pays for spans that
/// slabs are in, and hardly for the region's length.
///
/// Thread-safe: a thread that has a block has it from one that knew its slab.
final class SlabMap {
  /// 64 MiB of the region, and 4 KiB of heap. The longest region has 2^18 rows: 1 MiB of heap.
  private static final int ROW_SPANS = 1 << 10;

  private static final long ROW_BYTES = (long) ROW_SPANS * SPAN_BYTES;

  private volatile Slab[][] rows = new Slab[1][];

  /// @return `null` if no slab is there
  Slab at(long block) {
    Slab[][] known = rows;
    long row = block / ROW_BYTES;
    if (block < 0 || row >= known.length || known[(int) row] == null) {
      return null;
    }
    return known[(int) row][(int) (block % ROW_BYTES / SPAN_BYTES)];
  }

  void put(Slab slab) {
    // Both rows that it may be in, first: an OutOfMemoryError leaves the map as it was.
    row(rowOf(slab.offset() / SPAN_BYTES + slab.sizeClass().spans() - 1));
    row(rowOf(slab.offset() / SPAN_BYTES));
    set(slab, slab);
  }

  void remove(Slab slab) {
    set(slab, null);
  }

  private void set(Slab slab, Slab value) {
    for (int i = 0; i < slab.sizeClass().spans(); i++) {
      long span = slab.offset() / SPAN_BYTES + i;
      row(rowOf(span))[(int) (span % ROW_SPANS)] = value;
    }
  }

  private static int rowOf(long span) {
    return (int) (span / ROW_SPANS);
  }

  private Slab[] row(int row) {
    Slab[][] known = rows;
    return row < known.length && known[row] != null ? known[row] : newRow(row);
  }

  private synchronized Slab[] newRow(int row) {
    Slab[][] known = Arrays.copyOf(rows, Math.max(row + 1, rows.length));
    if (known[row] == null) {
      known[row] = new Slab[ROW_SPANS];
      rows = known;
    }
    return known[row];
  }
}
