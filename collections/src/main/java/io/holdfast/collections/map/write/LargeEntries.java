package io.holdfast.collections.map.write;

import static io.holdfast.core.memory.RegionLayout.LINE_BYTES;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.map.slot.MapLayout;
import io.holdfast.collections.map.slot.Slots;
import io.holdfast.core.heap.Heap;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.section.Section;

/// Entries that fit no size class: each has a block of its own, in a list of its stripe, linked
/// both ways.
///
/// **MAP-11** A large block is made, linked, unlinked and freed in sections alone. So a block that
/// is linked has its entry whole, and is the only one of its key; its bytes are written before
/// anybody finds them, once, and are durable with the section: the first word that it stores waits
/// for their flush. Test: MapLargeCrashTest.
///
/// The list is what a rebuild finds them by. Guarded by the stripe's lock.
public final class LargeEntries {
  private final Memory memory;
  private final Heap heap;
  private final Slots slots;

  public LargeEntries(MapParts parts) {
    this.memory = parts.memory();
    this.heap = parts.heap();
    this.slots = parts.slots();
  }

  boolean isLarge(Encoded key, Encoded value) {
    return slots.isLarge(MapLayout.lengths(key.length(), value.length()));
  }

  public boolean isLarge(long slot) {
    return slots.isLarge(slots.lengths(slot));
  }

  /// Stores an entry, in a section.
  ///
  /// @return its slot
  /// @throws io.holdfast.core.RegionFullException if there is no room; nothing has changed
  long add(Section section, long stripe, Encoded key, Encoded value, long meta) {
    long bytes = slots.bytesOfLarge((long) key.length() + value.length());
    long block = heap.allocate(bytes);
    long newest = memory.readPlain(stripe + MapLayout.LARGE);
    memory.writePlain(block + MapLayout.CHUNK_OLDER, newest);
    memory.writePlain(block + MapLayout.LARGE_BYTES, bytes);
    memory.writePlain(block + MapLayout.CHUNK_CLASS, MapLayout.LARGE_CLASS);
    memory.writePlain(block + MapLayout.CHUNK_NEWER, 0);
    memory.writePlain(
        block + MapLayout.LARGE_LENGTHS, MapLayout.lengths(key.length(), value.length()));
    long slot = block + LINE_BYTES;
    slots.storeLarge(slot, key, value, meta); // MAP-11
    if (newest != 0) {
      section.write(slots.checkInside(newest) + MapLayout.CHUNK_NEWER, block);
    }
    section.write(stripe + MapLayout.LARGE, block);
    return slot;
  }

  /// Frees an entry's block, in a section.
  void remove(Section section, long stripe, long slot) {
    long block = slots.checkInside(slot - LINE_BYTES);
    long older = memory.readPlain(block + MapLayout.CHUNK_OLDER);
    long newer = memory.readPlain(block + MapLayout.CHUNK_NEWER);
    heap.checkBlock(block, LINE_BYTES, "a map's large entry");
    section.write(
        newer == 0 ? stripe + MapLayout.LARGE : slots.checkInside(newer) + MapLayout.CHUNK_OLDER,
        older);
    if (older != 0) {
      section.write(slots.checkInside(older) + MapLayout.CHUNK_NEWER, newer);
    }
    heap.free(block);
  }
}
