package io.holdfast.core.memory;

import static io.holdfast.core.memory.RegionLayout.SPAN_BYTES;
import static io.holdfast.core.memory.RegionLayout.TABLE_SPAN;
import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;
import static io.holdfast.core.memory.RegionLayout.ZONE_BYTES;
import static io.holdfast.core.memory.RegionLayout.ZONE_SPANS;

import io.holdfast.core.RegionDamagedException;
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
        && offset <= header.length() - SPAN_BYTES
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
    return (long) found * SPAN_BYTES;
  }

  /// Gives spans back that {@link #take} gave, or that are free on media since.
  public synchronized void giveBack(long offset, int count) {
    load();
    int span = (int) (offset / SPAN_BYTES);
    used.clear(span, span + count);
  }

  /// Whether an offset is that of a span that can hold data, and its word states one of two uses.
  /// Never throws: for what was read from media.
  public boolean isUsedFor(long offset, Use use, Use orElse) {
    if (!isDataSpan(offset)) {
      return false;
    }
    long word = memory.readPlain(wordOf(offset));
    return word == word(use, detailOf(word)) || word == word(orElse, detailOf(word));
  }

  /// Calls a visitor with the offset and word of each span that a word is stored for.
  ///
  /// @throws RegionDamagedException naming the place, at a word with an unknown use, or a large
  ///   block that is longer than the region
  public void forEach(SpanVisitor visitor) {
    int spans = spanCount();
    for (int span = 0; span < spans; span++) {
      long offset = (long) span * SPAN_BYTES;
      long word = reserved(span) ? 0 : memory.readPlain(wordOf(offset));
      if (word != 0) {
        check(offset, word, spans - span);
        visitor.visit(offset, word);
      }
    }
  }

  private void check(long offset, long word, int spansLeft) {
    boolean known = (word & 0xff) < USES.length;
    long count = known && useOf(word) == Use.LARGE ? detailOf(word) : 1;
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

  /// By a quarter, at least a mebibyte, at most 64, to whole multiples of the step: a region is
  /// never a quarter larger than it must, nor grown more than some 40 times on its way to a
  /// gibibyte.
  private void grow(int count) {
    long length = header.length();
    long step = Math.clamp(Long.highestOneBit(length / 4), 1L << 20, 64L << 20);
    long least = length + (long) (count + 1) * SPAN_BYTES;
    long newLength = (least + step - 1) / step * step;
    int before = spanCount();
    if (memory.length() < least) { // else a growth was cut off after the file had grown: use that
      memory.grow(newLength);
    }
    header.lengthChanged(memory.length() / SPAN_BYTES * SPAN_BYTES);
    reserve(before, spanCount());
  }
}
