package io.holdfast.collections.map;

import static io.holdfast.core.memory.RegionLayout.LINE_BYTES;

import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.heap.Heap;
import io.holdfast.core.memory.Memory;
import java.util.function.LongConsumer;

/// The blocks and slots of a stripe. What is read is checked before it is followed.
///
/// For whoever holds the stripe's lock.
final class StripeBlocks {
  private final Memory memory;
  private final Heap heap;
  private final StripeIndex index;

  StripeBlocks(Memory memory, Heap heap, StripeIndex index) {
    this.memory = memory;
    this.heap = heap;
    this.index = index;
  }

  /// Calls a visitor with each block, the stripe's own last.
  void forEach(long stripe, LongConsumer visitor) {
    for (int sizeClass = 0; sizeClass < SlotClass.COUNT; sizeClass++) {
      for (long chunk = newest(stripe, sizeClass); chunk != 0; ) {
        long older = memory.readPlain(chunk + MapLayout.CHUNK_OLDER);
        visitor.accept(chunk);
        chunk = older;
      }
    }
    index.forEachSegment(stripe, (first, segment, depth) -> visitor.accept(segment));
    visitor.accept(memory.readPlain(stripe + MapLayout.DIRECTORY) >>> 8);
    visitor.accept(stripe);
  }

  private long newest(long stripe, int sizeClass) {
    return memory.readPlain(MapLayout.classAt(stripe, sizeClass) + MapLayout.CLASS_CHUNK);
  }

  /// Calls a visitor with each slot, used or not.
  void forEachSlot(long stripe, SlotVisitor visitor) {
    for (int sizeClass = 0; sizeClass < SlotClass.COUNT; sizeClass++) {
      for (long chunk = newest(stripe, sizeClass); chunk != 0; ) {
        heap.checkBlock(chunk, LINE_BYTES, "a map's chunk");
        long lines = memory.readPlain(chunk + MapLayout.CHUNK_LINES);
        if (memory.readPlain(chunk + MapLayout.CHUNK_CLASS) != sizeClass
            || lines < 2
            || lines > memory.length() / LINE_BYTES) {
          throw new RegionDamagedException(
              "%s: the region is damaged: a map's chunk: size class=%d, lines=%d, offset=0x%X. Restore it from a backup"
                  .formatted(memory.name(), sizeClass, lines, chunk));
        }
        heap.checkBlock(chunk, lines * LINE_BYTES, "a map's chunk of its length");
        long slotBytes = (long) SlotClass.lines(sizeClass) * LINE_BYTES;
        int slots = SlotClass.slots(sizeClass, (int) lines);
        for (int i = 0; i < slots; i++) {
          visitor.visit(sizeClass, chunk + LINE_BYTES + i * slotBytes);
        }
        chunk = memory.readPlain(chunk + MapLayout.CHUNK_OLDER);
      }
    }
  }

  /// Receives what {@link #forEachSlot} finds.
  interface SlotVisitor {
    void visit(int sizeClass, long slot);
  }
}
