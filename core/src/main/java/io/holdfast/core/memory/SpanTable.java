package io.holdfast.core.memory;

import static io.holdfast.core.memory.RegionLayout.SPAN_BYTES;
import static io.holdfast.core.memory.RegionLayout.TABLE_SPAN;
import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;
import static io.holdfast.core.memory.RegionLayout.ZONE_BYTES;
import static io.holdfast.core.memory.RegionLayout.ZONE_SPANS;

import io.holdfast.core.RegionFullException;
import java.util.BitSet;

/// Which spans of a region are used, and for what: one word for each span, in the second span of
/// its zone.
///
/// | bits | content |
/// |---|---|
/// | 0 to 7 | the span's {@link Use} |
/// | 8 to 63 | slab: size class; large block: number of spans; else 0 |
///
/// The words of a large block's further spans are zero (**SPAN-1**), so that taking or freeing it
/// is one store.
///
/// Here a span is only taken and given back in memory that dies with the process; the word on media
/// is stored by the taker, when and how its own atomicity asks: directly by the logs and slabs, in
/// a section by large blocks. Whatever is taken and never stored is free again after a crash.
///
/// **SPAN-2** What is given back has been free on media for good, and nobody has stores to it that
/// are not written back: it may be cut off (MAP-3).
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

  private final Memory memory;
  private final RegionHeader header;
  private BitSet used;
  private int next;

  /// The length at which more was asked for.
  private long preparedAt;

  public SpanTable(Memory memory, RegionHeader header) {
    this.memory = memory;
    this.header = header;
  }

  /// Where the word of the span is that holds an offset.
  public static long wordOf(long offset) {
    long span = offset / SPAN_BYTES;
    return span / ZONE_SPANS * ZONE_BYTES
        + (long) TABLE_SPAN * SPAN_BYTES
        + span % ZONE_SPANS * WORD_BYTES;
  }

  /// A span's word.
  public static long word(Use use, long detail) {
    return detail << 8 | use.ordinal();
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

  /// The size class of a slab or the number of spans of a large block.
  public static long detailOf(long word) {
    return word >>> 8;
  }

  /// Whether an offset is the first of a span that can hold data.
  public boolean isDataSpan(long offset) {
    return offset >= 0
        && offset % SPAN_BYTES == 0
        && offset + SPAN_BYTES <= header.length()
        && !reserved((int) (offset / SPAN_BYTES));
  }

  private static boolean reserved(int span) {
    return span == 0 || span % ZONE_SPANS == TABLE_SPAN;
  }

  /// Takes adjacent spans, growing the region if it has none.
  ///
  /// @return the offset of the first; their content is arbitrary
  /// @throws io.holdfast.core.RegionFullException if the device has no room
  public synchronized long take(int count) {
    if (count > ZONE_SPANS - 2) {
      throw new IllegalArgumentException(
          "%s: a block of this size is not supported: spans=%d, max=%d of %d bytes"
              .formatted(memory.name(), count, ZONE_SPANS - 2, SPAN_BYTES));
    }
    load();
    int spans = spanCount();
    int found = find(next, spans, count);
    if (found < 0) {
      found = find(0, spans, count);
    }
    while (found < 0) {
      grow(count);
      found = find(Math.max(0, spans - count), spanCount(), count);
    }
    used.set(found, found + count);
    next = found + count;
    prepareFor(next);
    return (long) found * SPAN_BYTES;
  }

  /// Gives spans back that {@link #take} gave, or that are free on media since.
  public synchronized void giveBack(long offset, int count) {
    load();
    int span = (int) (offset / SPAN_BYTES);
    used.clear(span, span + count);
  }

  /// Calls a visitor with the offset and word of each span that a word is stored for.
  public void forEach(SpanVisitor visitor) {
    int spans = spanCount();
    for (int span = 0; span < spans; span++) {
      long offset = (long) span * SPAN_BYTES;
      long word = reserved(span) ? 0 : memory.readPlain(wordOf(offset));
      if (word != 0) {
        visitor.visit(offset, word);
      }
    }
  }

  /// Receives what {@link #forEach} finds.
  public interface SpanVisitor {
    void visit(long offset, long word);
  }

  private int spanCount() {
    return (int) (header.length() / SPAN_BYTES);
  }

  private int find(int from, int to, int count) {
    int start = used.nextClearBit(from);
    while (start + count <= to) {
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
      used = new BitSet();
      reserve(0, spanCount());
      forEach(
          (offset, word) -> {
            int span = (int) (offset / SPAN_BYTES);
            int count = useOf(word) == Use.LARGE ? (int) detailOf(word) : 1;
            used.set(span, span + count);
          });
    }
  }

  private void reserve(int from, int to) {
    for (int span = from; span < to; span++) {
      if (reserved(span)) {
        used.set(span);
      }
    }
  }

  /// Has the next growth prepared if less than half a step is free behind what was just taken, and
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
    long least = length + (long) (count + 1) * SPAN_BYTES;
    int before = spanCount();
    try {
      memory.grow((least + step - 1) / step * step);
    } catch (RegionFullException e) {
      memory.grow(least);
    }
    // LENGTH-1: the bytes are there, and zero, before they are the region's.
    header.lengthChanged(memory.length());
    reserve(before, spanCount());
  }

  /// Gives the device back what is free at the region's end.
  ///
  /// @return by how many bytes the region is shorter
  /// @throws io.holdfast.core.RegionAccessException if the system refuses; it can be tried again
  public synchronized long trim() {
    load();
    long length = header.length();
    long end = endOfUse();
    if (end < length) {
      // LENGTH-1: the header first. Test: TrimCrashTest.length1TheHeaderIsShorterFirst.
      header.lengthChanged(end);
      memory.shrink(end);
      used.clear(spanCount(), used.size());
      next = Math.min(next, spanCount());
      preparedAt = 0;
    }
    memory.giveBack();
    return length - end;
  }

  /// The length to close the region with: without the free space at its end, if that is more than
  /// growing ahead would leave there.
  public synchronized long lengthToKeep() {
    long length = header.length();
    long end = used == null ? length : endOfUse();
    return length - end > 2 * stepAt(length) ? end : length;
  }

  /// The end of the last span in use. A zone's table is in use if its zone has others.
  private long endOfUse() {
    int last = used.length() - 1;
    while (last % ZONE_SPANS == TABLE_SPAN && !used.get(last - 1)) {
      last = used.previousSetBit(last - 1);
    }
    if (last % ZONE_SPANS == 0) {
      last++; // its word is in the table
    }
    return Math.max(RegionLayout.MIN_BYTES, (last + 1L) * SPAN_BYTES);
  }
}
