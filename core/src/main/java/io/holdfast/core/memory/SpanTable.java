package io.holdfast.core.memory;

import static io.holdfast.core.memory.RegionLayout.ANCHOR_TABLES;
import static io.holdfast.core.memory.RegionLayout.FIRST_TABLE;
import static io.holdfast.core.memory.RegionLayout.FIRST_ZONE_SPANS;
import static io.holdfast.core.memory.RegionLayout.SPAN_BYTES;
import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;
import static io.holdfast.core.memory.RegionLayout.firstSpanOf;
import static io.holdfast.core.memory.RegionLayout.tableSpansOf;
import static io.holdfast.core.memory.RegionLayout.zoneOf;

import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.RegionFullException;
import java.util.Arrays;
import java.util.BitSet;

/// Which spans of a region are used, and for what: one word for each span, in its zone's table.
///
/// | bits | content |
/// |---|---|
/// | 0 to 7 | the span's {@link Use} |
/// | 8 to 63 | slab: size class, and above it, from bit 16 on, number of spans; large block: number of spans; else 0 |
///
/// The words of the further spans of a slab or a large block are zero (**SPAN-1**), so that taking
/// or freeing it is one store. The spans of tables have no word: that they are linked says what
/// they are.
///
/// **TABLE-1** A zone's table is zero, and linked, before the region's length reaches into the
/// zone. Links of zones beyond the length mean nothing: a crash in between leaves no trace, and a
/// region may become shorter by its length alone.
///
/// Here a span is only taken and given back in memory that dies with the process; the word on media
/// is stored by the taker, when and how its own atomicity asks: directly by the logs and slabs, in
/// a section by large blocks. Whatever is taken and never stored is free again after a crash.
///
/// **SPAN-2** What is given back has been free on media for good, and nobody has stores to it that
/// are not written back: it may be cut off (MAPPING-3).
///
/// Spans are taken where they fit first, from the region's beginning: its end stays free as long as
/// possible, and neighbouring free runs are one.
///
/// Thread-safe. The table is read on the first `take`, one word for 64 KiB; opening reads none of
/// it.
public final class SpanTable {
  /// What a span is used for; the ordinal is on media, so the order is part of the format.
  public enum Use {
    FREE,
    SLAB,
    LARGE,
    LOG_CHUNK,
    LOG_GROUP
  }

  private static final Use[] USES = Use.values();

  /// The most spans of a run: half of the longest region.
  public static final int RUN_MAX = (int) (RegionLayout.MAX_BYTES / SPAN_BYTES / 2);

  private final Memory memory;
  private final RegionHeader header;

  /// By zone, where its table is; replaced when there are more.
  private volatile long[] tables;

  private BitSet used;

  /// No span before it is free.
  private int lowest;

  /// What {@link #used} ends with, for who takes no lock; too much until the table is read.
  private volatile int usedEnd = Integer.MAX_VALUE;

  /// The length at which more was asked for.
  private long preparedAt;

  /// @throws RegionDamagedException if a link to a table can't be right
  public SpanTable(Memory memory, RegionHeader header) {
    this.memory = memory;
    this.header = header;
    this.tables = readTables();
  }

  private long[] readTables() {
    long[] read = new long[zoneOf(spanCount() - 1) + 1];
    read[0] = FIRST_TABLE;
    for (int zone = 1; zone < read.length; zone++) {
      read[zone] = memory.readPlain(link(zone));
      long end = read[zone] + (long) tableSpansOf(zone) * SPAN_BYTES;
      boolean plausible =
          read[zone] >= SPAN_BYTES && read[zone] % SPAN_BYTES == 0 && end <= header.length();
      for (int other = 1; other < zone; other++) {
        long otherEnd = read[other] + (long) tableSpansOf(other) * SPAN_BYTES;
        plausible &= end <= read[other] || otherEnd <= read[zone];
      }
      if (!plausible) {
        throw new RegionDamagedException(
            "%s: the region is damaged: the link to the span table of zone %d holds 0x%X at offset 0x%X. The file was not touched; restore it from a backup"
                .formatted(memory.name(), zone, read[zone], link(zone)));
      }
    }
    return read;
  }

  private static long link(int zone) {
    return ANCHOR_TABLES + (long) zone * WORD_BYTES;
  }

  /// Where the word of the span is that holds an offset.
  public static long wordOf(Memory memory, long offset) {
    int span = (int) (offset / SPAN_BYTES);
    if (span < FIRST_ZONE_SPANS) {
      return FIRST_TABLE + (long) span * WORD_BYTES;
    }
    int zone = zoneOf(span);
    return memory.readPlain(link(zone)) + (span - firstSpanOf(zone)) * WORD_BYTES;
  }

  /// A span's word.
  public static long word(Use use, long detail) {
    return detail << 8 | use.ordinal();
  }

  /// The word of a slab's first span.
  public static long slabWord(int sizeClass, int spans) {
    return word(Use.SLAB, (long) spans << 8 | sizeClass);
  }

  /// Whether a word states a use; for what was read from media.
  public static boolean statesUse(long word) {
    return (word & 0xff) < USES.length;
  }

  /// The use that a word states.
  ///
  /// @throws IllegalStateException if it states none
  public static Use useOf(long word) {
    int use = (int) (word & 0xff);
    if (use >= USES.length) {
      throw new IllegalStateException("span word=0x%X, known uses=%d".formatted(word, USES.length));
    }
    return USES[use];
  }

  /// The size class of a slab.
  public static int sizeClassOf(long word) {
    return (int) (word >>> 8) & 0xff;
  }

  /// How many spans a word speaks of, itself included.
  public static long spansOf(long word) {
    return switch (useOf(word)) {
      case SLAB -> word >>> 16;
      case LARGE -> word >>> 8;
      default -> 1;
    };
  }

  /// Whether an offset is the first of a span that can hold data.
  public boolean isDataSpan(long offset) {
    return offset >= SPAN_BYTES
        && offset % SPAN_BYTES == 0
        && offset <= header.length() - SPAN_BYTES
        && !isTable(offset);
  }

  private boolean isTable(long offset) {
    long[] known = tables;
    for (int zone = 1; zone < known.length; zone++) {
      long at = offset - known[zone];
      if (at >= 0 && at < (long) tableSpansOf(zone) * SPAN_BYTES) {
        return true;
      }
    }
    return false;
  }

  /// Takes adjacent spans, growing the region if it has none.
  ///
  /// @return the offset of the first; their content is arbitrary
  /// @throws io.holdfast.core.RegionFullException if the device has no room
  public synchronized long take(int count) {
    long offset = takeFree(count);
    while (offset == 0) {
      grow(count);
      offset = takeFree(count);
    }
    return offset;
  }

  /// Takes adjacent spans of those that the region has.
  ///
  /// @return the offset of the first, 0 if there are none
  public synchronized long takeFree(int count) {
    load();
    lowest = used.nextClearBit(lowest);
    int found = find(count);
    if (found < 0) {
      return 0;
    }
    used.set(found, found + count);
    usedEnd = used.length();
    prepareFor(found + count);
    return (long) found * SPAN_BYTES;
  }

  /// Whether so many spans are free at the region's end, which grows if they are not. Others may
  /// take them. As a rule it takes no lock, because sections ask that hold changes back.
  public boolean hasFreeAtEnd(int count) {
    return spanCount() - usedEnd >= count || hasFreeAfterGrowing(count);
  }

  private synchronized boolean hasFreeAfterGrowing(int count) {
    load();
    try {
      if (spanCount() - used.length() < count) {
        grow(count);
      }
      return true;
    } catch (RegionFullException e) {
      return false;
    }
  }

  /// Gives spans back that {@link #take} gave, or that are free on media since.
  public synchronized void giveBack(long offset, int count) {
    if (used == null) {
      return; // the table is not read yet, and will say so
    }
    int span = (int) (offset / SPAN_BYTES);
    used.clear(span, span + count);
    usedEnd = used.length();
    lowest = Math.min(lowest, span);
  }

  /// Whether an offset is that of a span that can hold data, and its word states one of two uses.
  /// Never throws: for what was read from media.
  public boolean isUsedFor(long offset, Use use, Use orElse) {
    if (!isDataSpan(offset)) {
      return false;
    }
    int stated = (int) memory.readPlain(wordOf(memory, offset)) & 0xff;
    return stated == use.ordinal() || stated == orElse.ordinal();
  }

  /// Calls a visitor with the offset and word of each span that a word is stored for.
  ///
  /// @throws RegionDamagedException naming the place, at a word with an unknown use, or a large
  ///   block that is longer than the region
  public void forEach(SpanVisitor visitor) {
    long[] known = tables;
    int spans = spanCount();
    for (int zone = 0; zone < known.length; zone++) {
      long first = firstSpanOf(zone);
      long end = Math.min(spans, firstSpanOf(zone + 1));
      for (long span = first; span < end; span++) {
        long word = memory.readPlain(known[zone] + (span - first) * WORD_BYTES);
        if (word != 0) {
          check(span * SPAN_BYTES, word, spans - span);
          visitor.visit(span * SPAN_BYTES, word);
        }
      }
    }
  }

  private void check(long offset, long word, long spansLeft) {
    boolean known = statesUse(word);
    long count = known ? spansOf(word) : 1;
    if (!known || count < 1 || count > spansLeft) {
      throw new RegionDamagedException(
          "%s: the region is damaged: the span table holds 0x%X for the span at offset 0x%X. Restore the file from a backup"
              .formatted(memory.name(), word, offset));
    }
  }

  /// Receives what {@link #forEach} finds.
  public interface SpanVisitor {
    void visit(long offset, long word);
  }

  /// Spans that hold data or can: all but the first and those of tables.
  public long dataSpans() {
    long count = spanCount() - 1L;
    for (int zone = 1; zone < tables.length; zone++) {
      count -= tableSpansOf(zone);
    }
    return count;
  }

  /// The region's length in bytes, whole spans.
  public long length() {
    return (long) spanCount() * SPAN_BYTES;
  }

  private int spanCount() {
    return (int) (header.length() / SPAN_BYTES);
  }

  private int find(int count) {
    int spans = spanCount();
    int start = lowest;
    while (start <= spans - count) {
      int end = used.nextSetBit(start);
      if (end < 0 || end - start >= count) {
        return start;
      }
      start = used.nextClearBit(end);
    }
    return -1;
  }

  /// Reads the table, if it was not read before. From then on only {@link #take} and {@link
  /// #giveBack} decide what is free, whatever sections store.
  public synchronized void load() {
    if (used == null) {
      BitSet read = new BitSet();
      read.set(0); // header, anchors, logs
      for (int zone = 1; zone < tables.length; zone++) {
        setTableUsed(read, zone);
      }
      forEach(
          (offset, word) -> {
            int span = (int) (offset / SPAN_BYTES);
            read.set(span, span + (int) spansOf(word));
          });
      // Last: of a table that an error has cut off in the middle, spans in use would be taken
      // again. Test: FailuresTest.
      used = read;
      usedEnd = used.length();
    }
  }

  private void setTableUsed(BitSet spans, int zone) {
    int span = (int) (tables[zone] / SPAN_BYTES);
    spans.set(span, span + tableSpansOf(zone));
  }

  /// Has the next growth prepared if less than half a step is free after what was just taken, and
  /// no more in all of the region. So the file is at most one and a half steps longer than it must,
  /// a tenth. Test: PersistentQueueTest.roomIsUsedAgain.
  private void prepareFor(int end) {
    long length = header.length();
    long step = stepAt(length);
    long halfAStep = step / 2 / SPAN_BYTES;
    int spans = spanCount();
    if (length != preparedAt && spans - end < halfAStep && spans - used.cardinality() < halfAStep) {
      preparedAt = length;
      memory.prepare((length / step + 1) * step);
    }
  }

  /// By a sixteenth at most, at least a mebibyte, at most 64: some 100 steps on the way to a
  /// gibibyte.
  private static long stepAt(long length) {
    return Math.clamp(Long.highestOneBit(length / 16), 1L << 20, 64L << 20);
  }

  /// To a whole multiple of the step; on a device that has no room for that, by what is needed.
  private void grow(int count) {
    long length = header.length();
    long step = stepAt(length);
    int freeAtEnd = spanCount() - used.length();
    long least = length + (long) (count - freeAtEnd) * SPAN_BYTES;
    least += (long) tableSpans(tables.length, least) * SPAN_BYTES;
    if (least > RegionLayout.MAX_BYTES) {
      throw new RegionFullException(
          "%s: no region is so long: length=%d bytes, needed=%d, max=%d. Nothing is lost; use another region, or make room in this one"
              .formatted(memory.name(), length, least, RegionLayout.MAX_BYTES),
          null);
    }
    long wanted = Math.min(RegionLayout.MAX_BYTES, (least + step - 1) / step * step);
    if (memory.length() < wanted) { // else an error of the JVM came between it and the header
      try {
        memory.grow(wanted);
      } catch (RegionFullException e) {
        if (memory.length() < least) {
          memory.grow(least);
        }
      }
    }
    addTables(zoneOf((int) (memory.length() / SPAN_BYTES) - 1) + 1);
    // LENGTH-1, TABLE-1: the bytes are there, and zero, before they are the region's. The header's
    // release stores order zeros and links before the length. Without zeros, or after the length,
    // a crash could leave spans that look used by nobody.
    // Test: SpanTableCrashTest.table1NewZonesAreEmpty.
    header.lengthChanged(memory.length());
  }

  /// Spans of the tables that a region lacks at a length.
  private static int tableSpans(int zones, long length) {
    int spans = 0;
    for (int zone = zones; firstSpanOf(zone) * SPAN_BYTES < length; zone++) {
      spans += tableSpansOf(zone);
    }
    return spans;
  }

  private void addTables(int zones) {
    long[] more = Arrays.copyOf(tables, zones);
    for (int zone = tables.length; zone < zones; zone++) {
      int span = used.nextClearBit(lowest);
      for (int end = used.nextSetBit(span);
          end >= 0 && end - span < tableSpansOf(zone);
          end = used.nextSetBit(span)) {
        span = used.nextClearBit(end);
      }
      more[zone] = (long) span * SPAN_BYTES;
      used.set(span, span + tableSpansOf(zone));
      memory.zeroPlain(more[zone], (long) tableSpansOf(zone) * SPAN_BYTES);
      memory.writePlain(link(zone), more[zone]);
    }
    tables = more;
    usedEnd = used.length();
  }

  /// Gives the device back what is free at the region's end.
  ///
  /// @return by how many bytes the region is shorter
  /// @throws io.holdfast.core.RegionAccessException if the system refuses; it can be tried again
  public synchronized long trim() {
    load();
    long length = header.length();
    int zones = zonesInUse();
    long end = endOfUse(zones);
    if (end < length) {
      // LENGTH-1: the header first. Test: TrimCrashTest.length1TheHeaderIsShorterFirst.
      header.lengthChanged(end);
      memory.shrink(end);
      for (int zone = zones; zone < tables.length; zone++) {
        clearTable(used, zone); // TABLE-1: nobody asks for it any more
      }
      tables = Arrays.copyOf(tables, zones);
      usedEnd = used.length();
      lowest = used.nextClearBit(0);
      preparedAt = 0;
    }
    memory.giveBack();
    return length - end;
  }

  /// The length to close the region with: without the free space at its end, if that is more than
  /// growing ahead would leave there.
  public synchronized long lengthToKeep() {
    long length = header.length();
    long end = used == null ? length : endOfUse(zonesInUse());
    return length - end > 2 * stepAt(length) ? end : length;
  }

  /// The zones up to the last one in which something is used, but for its own table.
  private int zonesInUse() {
    int zones = tables.length;
    while (zones > 1 && usedWithout(zones - 1).length() <= firstSpanOf(zones - 1)) {
      zones--;
    }
    return zones;
  }

  /// What is used, but for the tables of some last zones.
  private BitSet usedWithout(int firstZone) {
    BitSet without = (BitSet) used.clone();
    for (int zone = firstZone; zone < tables.length; zone++) {
      clearTable(without, zone);
    }
    return without;
  }

  private void clearTable(BitSet spans, int zone) {
    int span = (int) (tables[zone] / SPAN_BYTES);
    spans.clear(span, span + tableSpansOf(zone));
  }

  private long endOfUse(int zones) {
    return Math.max(RegionLayout.MIN_BYTES, (long) usedWithout(zones).length() * SPAN_BYTES);
  }
}
