package io.holdfast.collections.map.write;

import static io.holdfast.core.memory.RegionLayout.LINE_BYTES;

import io.holdfast.collections.map.slot.MapLayout;
import io.holdfast.collections.map.slot.SlotClass;
import io.holdfast.collections.map.slot.Slots;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.heap.Heap;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.section.Section;
import java.util.ArrayDeque;
import java.util.Arrays;

/// The free slots of a stripe, and the chunks that slots are cut from.
///
/// A class's free slots are a list, linked both ways: taken at HEAD, added at TAIL. BUMP has those
/// of the newest chunk that were never used. A slot's PLACE says which chunk is its own, and that
/// counts its used slots: both are lines that an operation has anyway, but for the chunk's, of
/// which there is one for each 1,023 lines of slots.
///
/// **MAP-10** A chunk goes back to the heap, in a section that takes its slots out of the free list
/// and the chunk out of its class, when it has no used slot and the class has another such chunk;
/// the newest one stays. So a class keeps one empty chunk, and who adds and removes an entry in
/// turn makes no chunks. Test: MapSpaceTest, MapCrashTest.map10ChunksGoBack.
///
/// Guarded by the stripe's lock.
public final class SlotSupply {
  /// For how many stores a section's log takes room at a time.
  private static final int RESERVED_MAX = 2_045;

  private final Memory memory;
  private final Memory unordered;
  private final Heap heap;
  private final Slots slots;

  /// Chunks that have been seen to become empty, to be looked at.
  private final ArrayDeque<Long> emptied = new ArrayDeque<>(0);

  /// The empty chunk that each class keeps; 0 if it has none that is known.
  private final long[] spares = new long[SlotClass.COUNT];

  SlotSupply(MapParts parts) {
    this.memory = parts.memory();
    this.unordered = parts.unordered();
    this.heap = parts.heap();
    this.slots = parts.slots();
  }

  /// Finds a free slot, and notes what taking it will store.
  ///
  /// @return 0 if there is none
  long take(long stripe, int sizeClass, Change change) {
    long itsClass = MapLayout.classAt(stripe, sizeClass);
    long head = unordered.readPlain(itsClass + MapLayout.CLASS_HEAD);
    // MAP-2: the last one freed may not be invalid durably. Test: MapCrashTest.map2Reuse.
    if (head != 0 && head != unordered.readPlain(itsClass + MapLayout.CLASS_TAIL)) {
      return takeFree(head, sizeClass, change);
    }
    long bump = unordered.readPlain(itsClass + MapLayout.CLASS_BUMP);
    return MapLayout.bumpLeft(bump) == 0 ? 0 : takeUnused(itsClass, sizeClass, bump, change);
  }

  /// The same after others that are taken and not published yet.
  ///
  /// @param cursor HEAD and BUMP as they will be; brought up to it
  long take(long stripe, int sizeClass, long[] cursor, Change change) {
    long itsClass = MapLayout.classAt(stripe, sizeClass);
    if (cursor[0] != 0 && cursor[0] != unordered.readPlain(itsClass + MapLayout.CLASS_TAIL)) {
      long slot = takeFree(cursor[0], sizeClass, change);
      cursor[0] = change.next;
      return slot;
    }
    if (MapLayout.bumpLeft(cursor[1]) == 0) {
      return 0;
    }
    long slot = takeUnused(itsClass, sizeClass, cursor[1], change);
    cursor[1] = change.next >>> 1;
    return slot;
  }

  private long takeFree(long head, int sizeClass, Change change) {
    long place = slots.place(slots.checkInside(head));
    checkPlace(head, place, sizeClass);
    change.place = place;
    change.next = slots.next(head);
    return head;
  }

  private long takeUnused(long itsClass, int sizeClass, long bump, Change change) {
    long slot = slots.checkInside(MapLayout.bumpSlot(bump));
    long bytes = SlotClass.bytes(sizeClass);
    long chunk = unordered.readPlain(itsClass + MapLayout.CLASS_CHUNK);
    long number = (slot - LINE_BYTES - chunk) / bytes;
    change.place = MapLayout.place(sizeClass, (int) number & MapLayout.NUMBER_MAX);
    checkPlace(slot, change.place, sizeClass);
    change.next = MapLayout.bump(slot + bytes, MapLayout.bumpLeft(bump) - 1) << 1 | 1;
    return slot;
  }

  /// Notes what freeing a slot will store.
  void free(long stripe, long old, Change change) {
    long place = slots.place(slots.checkInside(old));
    checkPlace(old, place, MapLayout.classOf(place));
    long itsClass = MapLayout.classAt(stripe, MapLayout.classOf(place));
    long tail = unordered.readPlain(itsClass + MapLayout.CLASS_TAIL);
    change.old = old;
    change.tail = tail == 0 ? 0 : slots.checkInside(tail);
  }

  /// @throws RegionDamagedException if a PLACE does not lead to a chunk of the class
  private void checkPlace(long slot, long place, int sizeClass) {
    long chunk = MapLayout.chunkOf(slot, place);
    if (sizeClass >= SlotClass.COUNT
        || MapLayout.classOf(place) != sizeClass
        || !slots.isInside(chunk)
        || unordered.readPlain(chunk + MapLayout.CHUNK_CLASS) != sizeClass) {
      throw damaged("a slot in no chunk of its size class", slot, place);
    }
  }

  private RegionDamagedException damaged(String what, long offset, long found) {
    return new RegionDamagedException(
        "%s: the region is damaged: a map: %s: found=0x%X, offset=0x%X. Restore it from a backup"
            .formatted(memory.name(), what, found, offset));
  }

  /// Makes a chunk, in a section. What was never used of the one before goes into the free list.
  ///
  /// @throws io.holdfast.core.RegionFullException if there is no room; nothing has changed
  void addChunk(Section section, long stripe, int sizeClass) {
    section.reserve(8);
    long itsClass = MapLayout.classAt(stripe, sizeClass);
    long newest = memory.readPlain(itsClass + MapLayout.CLASS_CHUNK);
    int newestLines =
        newest == 0 ? 0 : (int) memory.readPlain(slots.checkInside(newest) + MapLayout.CHUNK_LINES);
    int lines = SlotClass.nextChunkLines(sizeClass, newestLines);
    long chunk = heap.allocate((long) lines * LINE_BYTES);
    // MAP-2: all slots are invalid, and their validities level.
    memory.zeroPlain(chunk, (long) lines * LINE_BYTES);
    memory.writePlain(chunk + MapLayout.CHUNK_OLDER, newest);
    memory.writePlain(chunk + MapLayout.CHUNK_LINES, lines);
    memory.writePlain(chunk + MapLayout.CHUNK_CLASS, sizeClass);
    linkUnused(section, stripe, sizeClass);
    if (newest != 0) {
      section.write(newest + MapLayout.CHUNK_NEWER, chunk);
    }
    section.write(itsClass + MapLayout.CLASS_CHUNK, chunk);
    section.write(
        itsClass + MapLayout.CLASS_BUMP,
        MapLayout.bump(chunk + LINE_BYTES, SlotClass.slots(sizeClass, lines)));
  }

  /// BUMP leads to all that it links here until the section ends: so the slots are stored to
  /// plainly. A batch that needs more slots than BUMP has left comes here; a single put finds BUMP
  /// used up. Test: MapBatchCrashTest.aBatchMakesRoomFirst.
  private void linkUnused(Section section, long stripe, int sizeClass) {
    long itsClass = MapLayout.classAt(stripe, sizeClass);
    long bump = unordered.readPlain(itsClass + MapLayout.CLASS_BUMP);
    int left = MapLayout.bumpLeft(bump);
    if (left == 0) {
      return;
    }
    long chunk = unordered.readPlain(itsClass + MapLayout.CLASS_CHUNK);
    long bytes = SlotClass.bytes(sizeClass);
    long first = slots.checkInside(MapLayout.bumpSlot(bump));
    long last = first + (left - 1) * bytes;
    long tail = unordered.readPlain(itsClass + MapLayout.CLASS_TAIL);
    for (long slot = last; slot >= first; slot -= bytes) {
      long place = MapLayout.place(sizeClass, (int) ((slot - LINE_BYTES - chunk) / bytes));
      long behind = slot == last ? 0 : slot + bytes;
      slots.setFree(slot, place);
      unordered.writePlain(slots.nextAt(slot), slots.linked(slot, behind));
      unordered.writePlain(slots.previousAt(slot), slot == first ? tail : slot - bytes);
    }
    if (tail == 0) {
      section.write(itsClass + MapLayout.CLASS_HEAD, first);
    } else {
      section.write(slots.nextAt(tail), slots.linked(slots.checkInside(tail), first));
    }
    section.write(itsClass + MapLayout.CLASS_TAIL, last);
  }

  /// Notes that a chunk may have become empty.
  ///
  /// @param chunk 0 for none
  void freed(long chunk) {
    if (chunk != 0 && isEmpty(chunk) && !emptied.contains(chunk)) {
      emptied.add(chunk);
    }
  }

  private boolean isEmpty(long chunk) {
    return unordered.readPlain(chunk + MapLayout.CHUNK_USED) == 0;
  }

  /// Whether there are chunks to be looked at.
  public boolean hasEmptied() {
    return !emptied.isEmpty();
  }

  /// Looks at what became empty, and finds a chunk that nobody needs.
  ///
  /// @return 0 if there is none
  long findNeedless(long stripe) {
    while (!emptied.isEmpty()) {
      long chunk = emptied.remove();
      if (isEmpty(chunk)) {
        int sizeClass = classOf(chunk);
        long spare = spares[sizeClass];
        boolean hasSpare = spare != 0 && spare != chunk && isEmpty(spare);
        long newest =
            memory.readPlain(MapLayout.classAt(stripe, sizeClass) + MapLayout.CLASS_CHUNK);
        boolean keepsThis = !hasSpare || chunk == newest;
        spares[sizeClass] = keepsThis ? chunk : spare;
        if (hasSpare) {
          long needless = keepsThis ? spare : chunk;
          // A spare may have become empty once more. Test:
          // TransactionSpaceTest.churnGivesEachChunkBackOnce.
          emptied.remove(needless);
          return needless;
        }
      }
    }
    return 0;
  }

  private int classOf(long chunk) {
    long sizeClass = memory.readPlain(chunk + MapLayout.CHUNK_CLASS);
    if (sizeClass < 0 || sizeClass >= SlotClass.COUNT) {
      throw damaged("the size class of a chunk", chunk, sizeClass);
    }
    return (int) sizeClass;
  }

  /// Gives a chunk back, in a section (MAP-10).
  ///
  /// @throws io.holdfast.core.RegionFullException if the log must grow and can't; nothing has
  ///   changed
  void release(Section section, long stripe, long chunk) {
    int sizeClass = classOf(chunk);
    long itsClass = MapLayout.classAt(stripe, sizeClass);
    long bytes = SlotClass.bytes(sizeClass);
    int count = SlotClass.slots(sizeClass, (int) memory.readPlain(chunk + MapLayout.CHUNK_LINES));
    section.reserve(Math.min(stores(count), RESERVED_MAX));
    long end = chunk + LINE_BYTES + count * bytes;
    heap.checkBlock(chunk, end - chunk, "a map's chunk");
    for (long slot = chunk + LINE_BYTES; slot < end; slot += bytes) {
      unlink(section, itsClass, slot);
    }
    long older = memory.readPlain(chunk + MapLayout.CHUNK_OLDER);
    long newer = slots.checkInside(memory.readPlain(chunk + MapLayout.CHUNK_NEWER));
    section.write(newer + MapLayout.CHUNK_OLDER, older);
    if (older != 0) {
      section.write(slots.checkInside(older) + MapLayout.CHUNK_NEWER, newer);
    }
    heap.free(chunk);
  }

  private void unlink(Section section, long itsClass, long slot) {
    long next = slots.next(slot);
    boolean isHead = memory.readPlain(itsClass + MapLayout.CLASS_HEAD) == slot;
    long previous = isHead ? 0 : memory.readPlain(slots.previousAt(slot));
    if (isHead) {
      section.write(itsClass + MapLayout.CLASS_HEAD, next);
    } else {
      if (slots.next(slots.checkInside(previous)) != slot) {
        throw damaged("a free slot that is not behind the one before it", slot, previous);
      }
      section.write(slots.nextAt(previous), slots.linked(previous, next));
    }
    if (next == 0) {
      section.write(itsClass + MapLayout.CLASS_TAIL, previous);
    } else if (!isHead) {
      section.write(slots.previousAt(slots.checkInside(next)), previous);
    }
  }

  /// Counts a chunk's used slots: an operation that was cut off may have counted or not (MAP-5). It
  /// is done again unless the release store after it, which ends that operation, is there.
  void count(long chunk) {
    int sizeClass = classOf(chunk);
    long bytes = SlotClass.bytes(sizeClass);
    long lines = memory.readPlain(chunk + MapLayout.CHUNK_LINES);
    heap.checkBlock(chunk, Math.clamp(lines, 0, Integer.MAX_VALUE) * LINE_BYTES, "a map's chunk");
    long used = 0;
    for (int i = SlotClass.slots(sizeClass, (int) lines); i > 0; i--) {
      long slot = chunk + LINE_BYTES + (i - 1) * bytes;
      used += MapLayout.version(unordered.readPlain(slot)) == 0 ? 0 : 1;
    }
    unordered.writePlain(chunk + MapLayout.CHUNK_USED, used);
  }

  /// Whether a chunk can be given back in a section that others may have taken hold of, and that is
  /// not rolled back then.
  boolean canReserve(long chunk) {
    long lines = memory.readPlain(chunk + MapLayout.CHUNK_LINES);
    return stores(SlotClass.slots(classOf(chunk), (int) lines)) <= RESERVED_MAX;
  }

  private static int stores(int slots) {
    return 2 * slots + 8;
  }

  /// The chunk of a slot.
  long chunkOf(long slot) {
    long place = slots.place(slots.checkInside(slot));
    checkPlace(slot, place, MapLayout.classOf(place));
    return MapLayout.chunkOf(slot, place);
  }

  /// What was noted of chunks may be of others, which are gone.
  public void forget() {
    emptied.clear();
    Arrays.fill(spares, 0);
  }
}
