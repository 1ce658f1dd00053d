package io.holdfast.core.heap;

import static io.holdfast.core.memory.RegionLayout.SPAN_BYTES;

import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.SpanTable;
import io.holdfast.core.section.Section;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/// The slabs of one size class.
///
/// Bits of one bitmap word belong to different sections, so they are set and cleared bit by bit in
/// the log too ({@link Section#setBits}); the lock guards the word's value. A slab's bitmap is read
/// when the slab is first needed, so opening a region reads none.
///
/// **SLAB-1** A new slab's bitmap is zero before its span's word says SLAB, and that is durable
/// before a block of it is taken. That word is stored directly, not in the section that happens to
/// need the slab: an empty slab leaks nothing, and other sections may have used it by the time that
/// one is undone.
final class SlabList {
  private final Memory memory;
  private final SpanTable spans;
  private final SizeClass sizeClass;

  /// Slabs of the file whose bitmaps were not read yet.
  private final Deque<Long> unread = new ArrayDeque<>();

  private final Map<Long, Slab> read = new HashMap<>();

  /// Slabs with free blocks; the first is allocated from.
  private final Deque<Slab> available = new ArrayDeque<>();

  SlabList(Memory memory, SpanTable spans, SizeClass sizeClass) {
    this.memory = memory;
    this.spans = spans;
    this.sizeClass = sizeClass;
  }

  void found(long slab) {
    unread.add(slab);
  }

  synchronized long allocate(Section section) {
    Slab slab = slabWithFreeBlock();
    int index = slab.take();
    try {
      long word = SizeClass.bitmapWord(slab.offset(), index);
      if (section.isOpen()) {
        section.setBits(word, 1L << index);
      } else {
        section.changeNext(next -> setBit(next, word, 1L << index));
      }
    } catch (RuntimeException | Error e) {
      slab.giveBack(index); // the log is full and can't grow: nothing was allocated
      throw e;
    }
    if (!slab.hasFree()) {
      available.pollFirst();
    }
    return sizeClass.blockOffset(slab.offset(), index);
  }

  /// When the section begins that a block was allocated for outside of sections.
  private synchronized void setBit(Section section, long word, long bit) {
    section.setBits(word, bit);
  }

  private Slab slabWithFreeBlock() {
    while (available.isEmpty() && !unread.isEmpty()) {
      read(unread.poll());
    }
    if (available.isEmpty()) {
      carve();
    }
    return available.peekFirst();
  }

  private Slab read(long offset) {
    Slab slab = new Slab(memory, sizeClass, offset);
    read.put(offset, slab);
    if (slab.hasFree()) {
      available.addLast(slab);
    }
    return slab;
  }

  private void carve() {
    long offset = spans.take(1);
    memory.zeroPlain(offset, sizeClass.blockOffset(offset, 0) - offset);
    // SLAB-1: orders the zeros before the word. Without it a crash could leave a slab whose blocks
    // look used for ever. Test: HeapCrashTest.newSlabsAreEmpty.
    memory.writeRelease(
        SpanTable.wordOf(memory, offset), SpanTable.slabWord(sizeClass.number(), 1));
    // Another thread may be the first to keep a block of it, if no log entry for this one's finds
    // room.
    memory.releaseFence();
    read(offset);
  }

  synchronized void free(Section section, long slabOffset, long block) {
    int index = sizeClass.indexOf(slabOffset, block);
    long word = SizeClass.bitmapWord(slabOffset, index);
    if (index < 0 || (memory.readPlain(word) & 1L << index) == 0) {
      throw new IllegalStateException(
          "%s: not an allocated block: offset=0x%X, slab=0x%X, block size=%d"
              .formatted(memory.name(), block, slabOffset, sizeClass.bytes()));
    }
    Slab slab = read.get(slabOffset);
    if (slab == null) {
      unread.remove(slabOffset);
      slab = read(slabOffset);
    }
    Slab home = slab;
    section.clearBits(word, 1L << index);
    section.whenDurable(() -> giveBack(home, index));
  }

  private synchronized void giveBack(Slab slab, int index) {
    boolean hadFree = slab.hasFree();
    slab.giveBack(index);
    if (!hadFree) {
      available.addLast(slab);
    }
  }

  static long slabOf(long block) {
    return block / SPAN_BYTES * SPAN_BYTES;
  }
}
