package io.holdfast.collections.map.index;

import static io.holdfast.core.memory.RegionLayout.LINE_BYTES;
import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;

import io.holdfast.collections.map.slot.MapLayout;
import io.holdfast.collections.map.slot.SlotClass;
import io.holdfast.collections.map.slot.Slots;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.heap.Heap;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.section.Section;
import java.util.function.LongConsumer;

/// Makes a stripe, and walks its blocks and slots. What is read is checked before it is followed: a
/// block is allocated and as long as what is read of it, and a list is linked both ways, so that it
/// comes to its end.
///
/// For whoever holds the stripe's lock.
public final class StripeBlocks {
  private final Memory memory;
  private final Heap heap;
  private final Slots slots;
  private final StripeIndex index;

  public StripeBlocks(Memory memory, Heap heap, Slots slots, StripeIndex index) {
    this.memory = memory;
    this.heap = heap;
    this.slots = slots;
    this.index = index;
  }

  /// Makes an empty stripe, in a section that links it.
  ///
  /// @return its block
  public long create(Section section) {
    section.reserve(8);
    long stripe = heap.allocate(slots.stripeBytes());
    long directory;
    try {
      directory = SegmentIndex.create(section, memory, heap);
    } catch (RuntimeException | Error e) {
      if (!section.isUndone()) {
        heap.free(stripe);
      }
      throw e;
    }
    memory.zeroPlain(stripe, slots.stripeBytes());
    memory.writePlain(stripe + MapLayout.DIRECTORY, directory);
    return stripe;
  }

  /// Checks what leads to everything else: the stripe's block, and its directory.
  public void check(long stripe) {
    heap.checkBlock(stripe, slots.stripeBytes(), "a map's stripe");
    index.checkDirectory(stripe);
  }

  /// Calls a visitor with each block, the stripe's own last.
  public void forEach(long stripe, LongConsumer visitor) {
    check(stripe);
    for (int sizeClass = 0; sizeClass < SlotClass.COUNT; sizeClass++) {
      forEachChunk(stripe, sizeClass, (chunk, bytes) -> visitor.accept(chunk));
    }
    forEachLarge(stripe, (block, bytes) -> visitor.accept(block));
    index.forEachSegment(stripe, (first, segment, depth) -> visitor.accept(segment));
    visitor.accept(memory.readPlain(stripe + MapLayout.DIRECTORY) >>> 8);
    visitor.accept(stripe);
  }

  /// Receives blocks.
  public interface BlockVisitor {
    void visit(long block, long bytes);
  }

  /// Calls a visitor with each chunk of a class.
  public void forEachChunk(long stripe, int sizeClass, BlockVisitor visitor) {
    long first = memory.readPlain(MapLayout.classAt(stripe, sizeClass) + MapLayout.CLASS_CHUNK);
    forEachOf(first, sizeClass, LINE_BYTES, SlotClass.CHUNK_LINES_MAX, visitor);
  }

  private void forEachLarge(long stripe, BlockVisitor visitor) {
    long first = memory.readPlain(stripe + MapLayout.LARGE);
    forEachOf(first, MapLayout.LARGE_CLASS, 1, memory.length(), visitor);
  }

  private void forEachOf(long first, int sizeClass, int unit, long most, BlockVisitor visitor) {
    long newer = 0;
    for (long block = first; block != 0; ) {
      heap.checkBlock(block, LINE_BYTES, "a map's chunk");
      long length = memory.readPlain(block + MapLayout.CHUNK_LINES);
      long itsClass = memory.readPlain(block + MapLayout.CHUNK_CLASS);
      if (itsClass != sizeClass || length < 2 || length > most) {
        throw damaged("a chunk of size class %d".formatted(sizeClass), block, length);
      }
      // A list in a circle would have a member with two before it.
      if (memory.readPlain(block + MapLayout.CHUNK_NEWER) != newer) {
        throw damaged("a chunk that is not behind the one before it", block, newer);
      }
      heap.checkBlock(block, length * unit, "a map's chunk");
      visitor.visit(block, length * unit);
      newer = block;
      block = memory.readPlain(block + MapLayout.CHUNK_OLDER);
    }
  }

  /// Receives what {@link #forEachSlot} finds.
  public interface SlotVisitor {
    /// @param place the slot's PLACE as it must be, without the free slot after it
    void visit(long slot, long place);
  }

  /// Calls a visitor with each slot, used or not.
  public void forEachSlot(long stripe, SlotVisitor visitor) {
    for (int sizeClass = 0; sizeClass < SlotClass.COUNT; sizeClass++) {
      int its = sizeClass;
      long slotBytes = SlotClass.bytes(sizeClass);
      forEachChunk(
          stripe,
          sizeClass,
          (chunk, bytes) -> {
            int slots = SlotClass.slots(its, (int) (bytes / LINE_BYTES));
            for (int i = 0; i < slots; i++) {
              visitor.visit(chunk + LINE_BYTES + i * slotBytes, MapLayout.place(its, i));
            }
          });
    }
    forEachLarge(
        stripe,
        (block, bytes) ->
            visitor.visit(block + LINE_BYTES, MapLayout.place(MapLayout.LARGE_CLASS, 0)));
  }

  /// @return the offset
  /// @throws RegionDamagedException if it is not that of a word of the region
  public long checkWord(long offset) {
    if (offset <= 0 || offset % WORD_BYTES != 0 || offset > memory.length() - WORD_BYTES) {
      throw damaged("an index word outside of the region", offset, offset);
    }
    return offset;
  }

  public RegionDamagedException damaged(String what, long offset, long found) {
    return new RegionDamagedException(
        "%s: the region is damaged: a map: %s: found=0x%X, offset=0x%X. Restore it from a backup"
            .formatted(memory.name(), what, found, offset));
  }
}
