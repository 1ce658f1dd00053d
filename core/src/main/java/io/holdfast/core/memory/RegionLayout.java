package io.holdfast.core.memory;

import io.holdfast.core.persistence.PersistenceDomain;

/// The geometry of a region, format version 1. Everything is a multiple of something above it.
///
/// | offset | size | what |
/// |---|---|---|
/// | 0x0000 | 4 KiB | header, first copy ({@link RegionHeader}) |
/// | 0x1000 | 4 KiB | header, second copy |
/// | 0x2000 | 4 KiB | anchors: the words from which everything else is reached |
/// | 0x3000 | 52 KiB | the first group of log slots |
/// | 0x10000 | 64 KiB | span table of zone 0 ({@link SpanTable}) |
/// | 0x20000 | | spans of 64 KiB: slabs, large blocks, log chunks |
/// | n · 0x20000000 | | zone n; its second span is its span table |
public final class RegionLayout {
  /// A word: what the hardware stores in one piece (MEDIA-1).
  public static final int WORD_BYTES = 8;

  /// A cache line: what keeps the order of its stores (MEDIA-2).
  public static final int LINE_BYTES = PersistenceDomain.LINE_BYTES;

  /// A page of the operating system; the smallest write when space is allocated (FACTS 7).
  public static final int PAGE_BYTES = 4096;

  /// The unit in which space is given to slabs, large blocks and logs.
  public static final int SPAN_BYTES = 1 << 16;

  /// A span table is one span of words, so a zone is as many spans: 8,192, which is 512 MiB.
  public static final int ZONE_SPANS = SPAN_BYTES / WORD_BYTES;

  /// Bytes in a zone.
  public static final long ZONE_BYTES = (long) ZONE_SPANS * SPAN_BYTES;

  /// Which span of a zone is its table.
  public static final int TABLE_SPAN = 1;

  /// The two copies of the header.
  public static final long HEADER_A = 0, HEADER_B = PAGE_BYTES;

  /// Anchor: the newest root of the directory, 0 when there is none.
  public static final long ANCHOR_ROOTS = 2 * PAGE_BYTES;

  /// Anchor: the newest further group of log slots, 0 when there is none.
  public static final long ANCHOR_LOG_GROUPS = ANCHOR_ROOTS + WORD_BYTES;

  /// Anchor: how far a recovery has come; see `io.holdfast.core.recovery`.
  public static final long ANCHOR_RECOVERY = ANCHOR_LOG_GROUPS + WORD_BYTES;

  /// Anchor: the newest root that was deleted and whose blocks are not all free, 0 when there is
  /// none.
  public static final long ANCHOR_DELETED = ANCHOR_RECOVERY + WORD_BYTES;

  /// The first group of log slots.
  public static final long FIRST_SLOTS = 3 * PAGE_BYTES;

  /// The smallest region: header, anchors, logs, span table, and two spans for data.
  public static final long MIN_BYTES = 4 * SPAN_BYTES;

  /// The largest region: 16 TiB, which is what ext4 holds in a file. The table of its chunks takes
  /// some 200 MB; a file that is longer is none of ours, or has holes.
  public static final long MAX_BYTES = 1L << 44;

  private RegionLayout() {}
}
