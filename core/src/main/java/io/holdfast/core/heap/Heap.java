package io.holdfast.core.heap;

import static io.holdfast.core.memory.RegionLayout.SPAN_BYTES;

import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.memory.Memory;
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

  /// The largest block: half of the longest region, which is 64 TiB.
  public static final long MAX_BYTES = (long) SpanTable.RUN_MAX * SPAN_BYTES;

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
        section.write(SpanTable.wordOf(memory, offset), word);
      } else {
        section.changeNext(next -> next.write(SpanTable.wordOf(memory, offset), word));
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
    long wordOffset = SpanTable.wordOf(memory, span);
    long word = memory.readPlain(wordOffset);
    switch (SpanTable.useOf(word)) {
      case SLAB -> lists()[SpanTable.sizeClassOf(word)].free(section, span, block);
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
        section.whenDurable(() -> spans.giveBack(span, (int) SpanTable.spansOf(word)));
      }
      default ->
          throw new IllegalStateException(
              "%s: not an allocated block: offset=0x%X, its span is %s"
                  .formatted(memory.name(), block, SpanTable.useOf(word)));
    }
  }

  /// Whether an offset read from media lies in a span that holds blocks; the check of everybody who
  /// follows one.
  ///
  /// @throws RegionDamagedException if it does not
  public long checkBlock(long block, String what) {
    boolean plausible =
        block >= 0
            && block < memory.length()
            && block % 16 == 0
            && spans.isDataSpan(SlabList.slabOf(block));
    if (!plausible) {
      throw new RegionDamagedException(
          "%s: %s points outside of the data: offset=0x%X, length=0x%X. The file was not touched; restore it from a backup"
              .formatted(memory.name(), what, block, memory.length()));
    }
    return block;
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
              made[SpanTable.sizeClassOf(word)].found(offset);
            }
          });
      lists = made;
    }
    return lists;
  }
}
