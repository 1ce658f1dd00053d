package io.holdfast.core.heap;

import static io.holdfast.core.memory.RegionLayout.SPAN_BYTES;

import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.memory.SpanTable;
import io.holdfast.core.memory.SpanTable.Use;
import io.holdfast.core.section.Section;
import io.holdfast.core.section.Sections;
import java.util.Arrays;

/// Allocates and frees blocks of persistent memory. Blocks that are allocated outside of sections
/// belong to the thread's next section: if that never ends, they are free again.
///
/// **HEAP-1** A block is allocated, or free, as the section decides that did it: a crash leaks
/// nothing and needs no collection. **HEAP-2** A block that a section freed is not used again
/// before the section is durable, because undoing it must find the block's content.
///
/// Blocks up to {@link #MAX_SLAB_BYTES} come from slabs ({@link SlabList}), larger ones are runs of
/// spans. The content of a new block is arbitrary.
///
/// Thread-safe. Opening reads nothing; the first use reads the span table, a word for 64 KiB.
public final class Heap {
  /// The largest block that shares its span with others.
  public static final int MAX_SLAB_BYTES = SizeClass.MAX_BYTES;

  /// The largest block: a zone less its table and the region's first span.
  public static final long MAX_BYTES =
      (long) (RegionLayout.ZONE_SPANS - RegionLayout.TABLE_SPAN - 1) * SPAN_BYTES;

  private final Memory memory;
  private final SpanTable spans;
  private final Sections sections;
  private volatile SlabList[] lists;

  public Heap(Memory memory, SpanTable spans, Sections sections) {
    this.memory = memory;
    this.spans = spans;
    this.sections = sections;
  }

  /// Allocates a block in the calling thread's section, or in its next one.
  ///
  /// @param size bytes, from 1 to {@link #MAX_BYTES}
  /// @return its offset: a multiple of 64 if the size is at least 64, else of 16
  /// @throws io.holdfast.core.RegionFullException if the device has no room; nothing was allocated
  /// @throws IllegalStateException outside of sections, if some 1,000 blocks wait for the next one
  public long allocate(long size) {
    if (size <= 0 || size > MAX_BYTES) {
      throw new IllegalArgumentException(
          "%s: a block of this size is not supported: size=%d bytes, allowed=1 to %d"
              .formatted(memory.name(), size, MAX_BYTES));
    }
    Section section = sections.currentOrNext();
    return size <= MAX_SLAB_BYTES
        ? lists()[SizeClass.holding((int) size).number()].allocate(section)
        : allocateSpans(section, (int) ((size + SPAN_BYTES - 1) / SPAN_BYTES));
  }

  private long allocateSpans(Section section, int count) {
    long offset = spans.take(count);
    try {
      long word = SpanTable.word(Use.LARGE, count);
      if (section.isOpen()) {
        section.write(SpanTable.wordOf(offset), word);
      } else {
        section.changeNext(next -> next.write(SpanTable.wordOf(offset), word));
      }
    } catch (RuntimeException | Error e) {
      spans.giveBack(offset, count);
      throw e;
    }
    return offset;
  }

  /// Frees a block in the calling thread's section.
  ///
  /// @throws IllegalStateException if there is no such block, or outside of a section
  public void free(long block) {
    Section section = sections.current();
    long span = SlabList.slabOf(block);
    long wordOffset = SpanTable.wordOf(span);
    long word = memory.readPlain(wordOffset);
    long detail = SpanTable.detailOf(word);
    switch (SpanTable.useOf(word)) {
      case SLAB -> lists()[SizeClass.of(detail).number()].free(section, span, block);
      case LARGE -> {
        if (block != span) {
          throw new IllegalStateException(
              "%s: not an allocated block: offset=0x%X, the block that holds it begins at 0x%X"
                  .formatted(memory.name(), block, span));
        }
        // HEAP-2: the table is read before the word says FREE, or this span would be taken for one
        // that was free at opening. Test: HeapTest.freedSpansAreNotReusedBeforeTheSectionIsDurable.
        spans.load();
        section.write(wordOffset, SpanTable.word(Use.FREE, 0));
        section.whenDurable(() -> spans.giveBack(span, (int) detail));
      }
      default ->
          throw new IllegalStateException(
              "%s: not an allocated block: offset=0x%X, its span is %s"
                  .formatted(memory.name(), block, SpanTable.useOf(word)));
    }
  }

  /// Whether an offset read from media is that of an allocated block that is large enough; the
  /// check of everybody who follows one. Blocks do not overlap, so whoever asks for as many bytes
  /// as he will read, reads no more in all than the region has.
  ///
  /// Some five loads: for what begins a structure or a part of one, not for each word of it.
  ///
  /// @param bytes how many are used from there on
  /// @throws RegionDamagedException if it is not
  public long checkBlock(long block, long bytes, String what) {
    if (block < 0 || bytes < 0 || bytes > blockBytes(block)) {
      throw new RegionDamagedException(
          "%s: the region is damaged: %s leads to no block of its size: offset=0x%X, size=%d bytes, region=0x%X bytes. Restore it from a backup"
              .formatted(memory.name(), what, block, bytes, memory.length()));
    }
    return block;
  }

  /// @return how many bytes the block that begins at an offset can hold; -1 if none does, or if it
  ///   is free
  private long blockBytes(long block) {
    long span = SlabList.slabOf(block);
    if (spans.isUsedFor(span, Use.LARGE, Use.LARGE)) {
      long bytes = SpanTable.detailOf(memory.readPlain(SpanTable.wordOf(span))) * SPAN_BYTES;
      return block == span && bytes > 0 && bytes <= memory.length() - block ? bytes : -1;
    }
    if (!spans.isUsedFor(span, Use.SLAB, Use.SLAB)) {
      return -1;
    }
    long number = SpanTable.detailOf(memory.readPlain(SpanTable.wordOf(span)));
    if (number >= SizeClass.count()) {
      return -1;
    }
    SizeClass sizeClass = SizeClass.of(number);
    int index = sizeClass.indexOf(span, block);
    boolean used =
        index >= 0 && (memory.readPlain(SizeClass.bitmapWord(span, index)) & 1L << index) != 0;
    return used ? sizeClass.bytes() : -1;
  }

  /// Looks at the whole heap; for a time in which nobody changes it.
  public HeapValidator validator() {
    return new HeapValidator(memory, spans);
  }

  private SlabList[] lists() {
    SlabList[] known = lists;
    return known != null ? known : readLists();
  }

  private synchronized SlabList[] readLists() {
    if (lists == null) {
      SlabList[] made = new SlabList[SizeClass.count()];
      Arrays.setAll(made, number -> new SlabList(memory, spans, SizeClass.of(number)));
      spans.forEach(
          (offset, word) -> {
            if (SpanTable.useOf(word) == Use.SLAB) {
              if (SpanTable.detailOf(word) >= SizeClass.count()) {
                throw new RegionDamagedException(
                    "%s: the region is damaged: the span table holds 0x%X for the slab at offset 0x%X. Restore the file from a backup"
                        .formatted(memory.name(), word, offset));
              }
              made[SizeClass.of(SpanTable.detailOf(word)).number()].found(offset);
            }
          });
      lists = made;
    }
    return lists;
  }
}
