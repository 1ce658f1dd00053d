package io.holdfast.core.heap;

import static io.holdfast.core.memory.RegionLayout.SPAN_BYTES;

import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.RegionFullException;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.SpanTable;
import io.holdfast.core.memory.SpanTable.Use;
import io.holdfast.core.section.Section;
import io.holdfast.core.section.Sections;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/// Allocates and frees blocks of persistent memory. Blocks that are allocated outside of sections
/// belong to the thread's next section: if that never ends, they are free again.
///
/// **HEAP-1** A block is allocated, or free, as the section decides that did it: a crash leaks
/// nothing and needs no collection. **HEAP-2** A block that a section freed is not used again
/// before the section is durable, because undoing it must find the block's content; but one that it
/// allocated itself is, in the same section or after it.
///
/// Blocks come from slabs ({@link SlabList}) or are runs of spans, whichever wastes less: at most a
/// fifth of the block, or 63 bytes ({@link SizeClass}). The content of a new block is arbitrary.
///
/// Each platform thread has free blocks of its own ({@link BlockCache}), and takes no lock as long
/// as these last. Virtual threads, and the threads beyond the first {@link #CACHES_MAX}, take each
/// block from its slab, so that the region grows with its blocks, not with its threads.
///
/// Thread-safe. Opening reads nothing; the first use reads the span table, a word for 64 KiB.
public final class Heap {
  /// The largest block: half of the longest region, which is 8 TiB.
  public static final long MAX_BYTES = (long) SpanTable.RUN_MAX * SPAN_BYTES;

  /// Threads that keep free blocks, of 8 KiB of each size at most: 512 KiB of a size in all.
  private static final int CACHES_MAX = 64;

  /// Dead threads' blocks are looked for when so many caches are known, or twice as many as were
  /// alive then.
  private static final int SWEEP_MIN = 16;

  /// A slab of one size class, and a chunk of the log.
  private static final int SPARE_SPANS = 4;

  private final Memory memory;
  private final SpanTable table;
  private final SpanSource spans;
  private final Sections sections;
  private final SlabMap slabs = new SlabMap();
  private volatile SlabList[] lists;

  /// Of platform threads. Guarded by itself, and no other lock of the heap is taken before it.
  private final List<BlockCache> caches = new ArrayList<>();

  private int sweepAt = SWEEP_MIN;

  public Heap(Memory memory, SpanTable table, Sections sections) {
    this.memory = memory;
    this.table = table;
    this.spans = new SpanSource(table, this::reclaim);
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
    try {
      BlockCache cache = cacheOf(section);
      SizeClass sizeClass = SizeClass.holding(size);
      return sizeClass != null
          ? cache.allocate(section, sizeClass)
          : cache.allocateSpans(section, (int) spansFor(size));
    } catch (RegionFullException e) {
      throw section.undo(e);
    }
  }

  /// Whether there is room for so many bytes, and for what holds them. Others may take it.
  public boolean hasRoom(long bytes) {
    return table.hasFreeAtEnd((int) Math.min(SpanTable.RUN_MAX, SPARE_SPANS + spansFor(bytes)));
  }

  static long spansFor(long size) {
    return (size + SPAN_BYTES - 1) / SPAN_BYTES;
  }

  private BlockCache cacheOf(Section section) {
    BlockCache cache = (BlockCache) section.changes();
    return cache != null ? cache : makeCache(section);
  }

  private BlockCache makeCache(Section section) {
    SlabList[] known = lists();
    BlockCache made;
    if (Thread.currentThread().isVirtual()) {
      made = new BlockCache(memory, spans, known, false);
    } else {
      synchronized (caches) {
        if (caches.size() >= sweepAt || keeping() >= CACHES_MAX) {
          sweep();
          sweepAt = Math.max(SWEEP_MIN, 2 * caches.size());
        }
        made = new BlockCache(memory, spans, known, keeping() < CACHES_MAX);
        caches.add(made);
      }
    }
    section.keepChanges(made);
    return made;
  }

  private long keeping() {
    return caches.stream().filter(BlockCache::keeps).count();
  }

  /// Gives back what dead threads have kept.
  private void sweep() {
    synchronized (caches) {
      for (Iterator<BlockCache> each = caches.iterator(); each.hasNext(); ) {
        BlockCache cache = each.next();
        if (cache.isOfDeadThread()) {
          cache.giveBackKept(true);
          each.remove();
        }
      }
    }
  }

  /// Gives back what nobody needs: before the region grows.
  private void reclaim() {
    sweep();
    BlockCache own = (BlockCache) sections.currentOrNext().changes();
    if (own != null) {
      own.giveBackKept(false);
    }
    for (SlabList list : lists()) {
      list.retireEmpty();
    }
  }

  /// Frees a block in the calling thread's section.
  ///
  /// @throws RegionFullException if the log must grow and can't; nothing was freed
  /// @throws RegionDamagedException if there is no such block, so that what led to it is damaged
  /// @throws IllegalStateException outside of a section
  public void free(long block) {
    Section section = sections.current();
    try {
      free(section, cacheOf(section), block);
    } catch (RegionFullException e) {
      throw section.undo(e);
    }
  }

  private void free(Section section, BlockCache cache, long block) {
    int change = cache.find(block);
    if (change >= 0) {
      if (!cache.cancel(change)) {
        throw noBlock(block, "this section has freed it");
      }
      return;
    }
    Slab slab = slabs.at(block);
    if (slab == null) {
      freeSpans(section, cache, block);
      return;
    }
    int index = slab.sizeClass().indexOf(slab.offset(), block);
    if (index < 0 || !slab.isMarked(index)) {
      throw noBlock(
          block, "slab=0x%X, block size=%d".formatted(slab.offset(), slab.sizeClass().bytes()));
    }
    // HEAP-2: before the allocation byte says that the block is free, or it would be taken for one
    // that was
    // free at opening. Test: HeapTest.randomAllocationsAgreeWithAModel.
    slab.read();
    cache.free(section, slab, index, block);
  }

  private void freeSpans(Section section, BlockCache cache, long block) {
    long span = spanOf(block);
    long word =
        span > 0 && span < memory.length() ? memory.readPlain(SpanTable.wordOf(memory, span)) : 0;
    if (block != span || SpanTable.useOf(word) != Use.LARGE) {
      throw noBlock(block, "its span at 0x%X is %s".formatted(span, SpanTable.useOf(word)));
    }
    cache.freeSpans(section, block, (int) SpanTable.spansOf(word));
  }

  private static long spanOf(long block) {
    return block & -SPAN_BYTES;
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
      throw damaged(
          "%s leads to no block of its size: offset=0x%X, size=%d bytes, region=0x%X bytes"
              .formatted(what, block, bytes, memory.length()));
    }
    return block;
  }

  private RegionDamagedException noBlock(long block, String why) {
    return damaged(
        "what is freed is not an allocated block: offset=0x%X, %s".formatted(block, why));
  }

  private RegionDamagedException damaged(String what) {
    // A section that the closing has cut off may have stored where a block is, and no allocation
    // byte.
    // Test: CloseUnderLoadTest.noThreadTakesTheJvmWithIt.
    sections.checkUsable();
    return new RegionDamagedException(
        "%s: the region is damaged: %s. Restore it from a backup".formatted(memory.name(), what));
  }

  /// @return how many bytes the block that begins at an offset can hold; -1 if none does, or if it
  ///   is free
  private long blockBytes(long block) {
    BlockCache own = (BlockCache) sections.currentOrNext().changes();
    long bytes = own == null ? -1 : own.allocatedBytes(block); // these have no allocation bytes yet
    return bytes >= 0 ? bytes : markedBytes(block);
  }

  private long markedBytes(long block) {
    long span = spanOf(block);
    for (int i = 1; i < SizeClass.SPANS_MAX && table.isUsedFor(span, Use.FREE, Use.FREE); i++) {
      span -= SPAN_BYTES; // it may be a further span of a slab (SPAN-1)
    }
    if (table.isUsedFor(span, Use.LARGE, Use.LARGE)) {
      long bytes = SpanTable.spansOf(readWord(span)) * SPAN_BYTES;
      return block == span && bytes > 0 && bytes <= memory.length() - block ? bytes : -1;
    }
    if (!table.isUsedFor(span, Use.SLAB, Use.SLAB)) {
      return -1;
    }
    int number = SpanTable.sizeClassOf(readWord(span));
    if (number >= SizeClass.count()) {
      return -1;
    }
    SizeClass sizeClass = SizeClass.of(number);
    int index = sizeClass.indexOf(span, block);
    return index >= 0 && Slab.isMarked(memory, span, index) ? sizeClass.bytes() : -1;
  }

  private long readWord(long span) {
    return memory.readPlain(SpanTable.wordOf(memory, span));
  }

  /// Looks at the whole heap; for a time in which nobody changes it.
  public HeapValidator validator() {
    return new HeapValidator(memory, table);
  }

  private SlabList[] lists() {
    SlabList[] known = lists;
    return known != null ? known : readLists();
  }

  private SizeClass slabClass(long offset, long word) {
    int number = SpanTable.sizeClassOf(word);
    if (number >= SizeClass.count() || SizeClass.of(number).spans() != SpanTable.spansOf(word)) {
      throw new RegionDamagedException(
          "%s: the region is damaged: the span table holds 0x%X for the slab at offset 0x%X. Restore the file from a backup"
              .formatted(memory.name(), word, offset));
    }
    return SizeClass.of(number);
  }

  private synchronized SlabList[] readLists() {
    if (lists == null) {
      // HEAP-2: the table is read before any word says FREE, or a span that a section has freed
      // would be taken for one that was free at opening.
      // Test: HeapTest.freedSpansAreNotReusedBeforeTheSectionIsDurable.
      table.load();
      SlabList[] made = new SlabList[SizeClass.count()];
      Arrays.setAll(made, number -> new SlabList(memory, spans, slabs, SizeClass.of(number)));
      table.forEach(
          (offset, word) -> {
            if (SpanTable.useOf(word) == Use.SLAB) {
              made[slabClass(offset, word).number()].found(offset);
            }
          });
      lists = made;
    }
    return lists;
  }
}
