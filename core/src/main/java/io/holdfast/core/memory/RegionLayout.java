package io.holdfast.core.memory;

import io.holdfast.core.persistence.PersistenceDomain;

/// The geometry of a region, format version 1. Everything is a multiple of something above it.
///
/// | offset | size | what |
/// |---|---|---|
/// | 0x0000 | 64 bytes | header, first copy ({@link RegionHeader}) |
/// | 0x0040 | 64 bytes | when and for what it was last opened ({@link OpeningRecord}) |
/// | 0x0080 | 128 bytes | which store has it open ({@link RegionOwner}) |
/// | 0x0100 | 8 bytes | in which run of the system it was open ({@link SystemRun}) |
/// | 0x0140 | 8 bytes | which log completes it, in format version 2 (`io.holdfast.core.redo`) |
/// | 0x0148 | 16 bytes | how far that log must reach |
/// | 0x0200 | 3,584 bytes | stacks of sections that are open for long |
/// | 0x1000 | 64 bytes | header, second copy |
/// | 0x1040 | 3,968 bytes | the black box: notes of such sections (`BlackBox`) |
/// | 0x2000 | 512 bytes | anchors: the words from which everything else is reached |
/// | 0x2200 | 168 bytes | where the span table of each zone is, by number; 0 for zone 0 |
/// | 0x2800 | 2 KiB | span table of zone 0 ({@link SpanTable}) |
/// | 0x3000 | 52 KiB | the first group of log slots |
/// | 0x10000 | | spans of 64 KiB: slabs, large blocks, log chunks, span tables |
///
/// Zone 0 is the first 16 MiB; each further one is as long as all before it together. A zone's
/// table is wherever there was room when the region grew into it, so that nothing lies between the
/// spans of two zones and a block can be as long as the region.
public final class RegionLayout {
  /// A word: what the hardware stores in one piece (MEDIA-1).
  public static final int WORD_BYTES = 8;

  /// A cache line: what keeps the order of its stores (MEDIA-2).
  public static final int LINE_BYTES = PersistenceDomain.LINE_BYTES;

  /// A page of the operating system.
  public static final int PAGE_BYTES = 4096;

  /// The unit in which space is given to slabs, large blocks and logs.
  public static final int SPAN_BYTES = 1 << 16;

  /// The two copies of the header.
  public static final long HEADER_A = 0, HEADER_B = PAGE_BYTES;

  /// The record of the last opening: the header's page, another line.
  public static final long OPENING = HEADER_A + LINE_BYTES;

  /// The store that has the region open: two more lines.
  public static final long OWNER = OPENING + LINE_BYTES;

  /// In which run of the system the region's stores were left to its page cache; a line of its own.
  public static final long RUN = OPENING + 3 * LINE_BYTES;

  /// Which log completes the region; a line of its own, in the header's sector.
  public static final long LOG = RUN + LINE_BYTES;

  /// How far that log must reach: the number of a batch, and in the next word the checksum of the
  /// one before it.
  public static final long REACH = LOG + WORD_BYTES;

  /// Stacks of the black box, up to the page's end.
  public static final long STACKS = 0x200;

  /// Notes of the black box, after the header's second copy.
  public static final long BLACK_BOX = HEADER_B + LINE_BYTES;

  /// Anchor: the newest root of the directory, 0 when there is none.
  public static final long ANCHOR_ROOTS = 2 * PAGE_BYTES;

  /// Anchor: the newest further group of log slots, 0 when there is none.
  public static final long ANCHOR_LOG_GROUPS = ANCHOR_ROOTS + WORD_BYTES;

  /// Anchor: how far a recovery has come; see `io.holdfast.core.recovery`.
  public static final long ANCHOR_RECOVERY = ANCHOR_LOG_GROUPS + WORD_BYTES;

  /// Anchor: the newest root that was deleted and whose blocks are not all free, 0 when there is
  /// none.
  public static final long ANCHOR_DELETED = ANCHOR_RECOVERY + WORD_BYTES;

  /// Anchor: how sections are made failure-atomic, and so what the logs are; see
  /// `io.holdfast.core.recovery`.
  public static final long ANCHOR_STRATEGY = ANCHOR_DELETED + WORD_BYTES;

  /// Anchors: where the span tables are, a word for each zone.
  public static final long ANCHOR_TABLES = ANCHOR_ROOTS + 0x200;

  /// The span table of zone 0.
  public static final long FIRST_TABLE = ANCHOR_ROOTS + 0x800;

  /// The first group of log slots, up to the end of the first span.
  public static final long FIRST_SLOTS = 3 * PAGE_BYTES;

  /// Spans of zone 0, a word of its table each: 256, which is 16 MiB.
  public static final int FIRST_ZONE_SPANS = (int) (FIRST_SLOTS - FIRST_TABLE) / WORD_BYTES;

  /// Zones in the longest region: 2^28 spans are 2^20 times zone 0, and each zone doubles what is
  /// before it.
  public static final int ZONES_MAX = 21;

  /// Bytes of the words at {@link #ANCHOR_TABLES}.
  public static final long TABLE_LINKS_BYTES = (long) ZONES_MAX * WORD_BYTES;

  /// The smallest region: header, anchors, logs, and three spans for data.
  public static final long MIN_BYTES = 4 * SPAN_BYTES;

  /// The largest region: 16 TiB, which is what ext4 holds in a file. A file that is longer is none
  /// of ours, or has holes.
  public static final long MAX_BYTES = 1L << 44;

  /// The zone of a span: 0, or how often zone 0 must be doubled to hold it.
  static int zoneOf(int span) {
    return span < FIRST_ZONE_SPANS
        ? 0
        : Integer.numberOfLeadingZeros(FIRST_ZONE_SPANS) + 1 - Integer.numberOfLeadingZeros(span);
  }

  /// The first span of a zone; the next one's is where it ends.
  static long firstSpanOf(int zone) {
    return zone == 0 ? 0 : (long) FIRST_ZONE_SPANS << (zone - 1);
  }

  /// The spans that a zone's table takes: for zones up to 512 MiB one, for larger ones 1 of 8,192.
  static int tableSpansOf(int zone) {
    long bytes = (firstSpanOf(zone + 1) - firstSpanOf(zone)) * WORD_BYTES;
    return (int) ((bytes + SPAN_BYTES - 1) / SPAN_BYTES);
  }

  /// Bytes of a zone's table, in whole spans.
  public static long tableBytesOf(int zone) {
    return (long) tableSpansOf(zone) * SPAN_BYTES;
  }

  private RegionLayout() {}
}
