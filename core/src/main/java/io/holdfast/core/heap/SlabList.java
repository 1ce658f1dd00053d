package io.holdfast.core.heap;

import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.SpanTable;
import io.holdfast.core.memory.SpanTable.Use;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.TreeMap;

/// The slabs of one size class that have free blocks. Blocks are taken from the one that comes
/// first in the region, so that the others become empty.
///
/// **SLAB-1** A new slab's allocation bytes are zero before its span's word says SLAB, and that is
/// durable before a block of it is taken. That word is stored directly, not in the section that
/// happens to need the slab: an empty slab leaks nothing, and other sections may have used it by
/// the time that one is undone.
///
/// **SLAB-2** A slab's word says FREE, durably, before its spans are given back; and that is done
/// only when every block is free durably (HEAP-2), so that no log has an entry for one of its
/// allocation bytes, which recovery would store into whatever is there then.
///
/// One empty slab is kept if it is all the class has, until the region would have to grow.
///
/// Thread-safe.
final class SlabList {
  private final Memory memory;
  private final SpanSource spans;
  private final SlabMap slabs;
  private final SizeClass sizeClass;

  /// Slabs of the file whose allocation bytes were not read yet.
  private final Deque<Slab> unread = new ArrayDeque<>();

  private final TreeMap<Long, Slab> available = new TreeMap<>();

  /// Of those who make slabs; taken before every other lock of the heap.
  private final Object carving = new Object();

  /// One that was empty when it was all there was; `null` if there is none.
  private Slab kept;

  SlabList(Memory memory, SpanSource spans, SlabMap slabs, SizeClass sizeClass) {
    this.memory = memory;
    this.spans = spans;
    this.slabs = slabs;
    this.sizeClass = sizeClass;
  }

  /// A slab of the file, when the region is first used.
  void found(long offset) {
    Slab slab = new Slab(memory, this, sizeClass, offset);
    slabs.put(slab);
    unread.add(slab);
  }

  /// Takes some free blocks of one slab, making one if there is none.
  ///
  /// @param into receives their indexes
  /// @param slab receives the slab
  /// @return how many, at least one
  /// @throws io.holdfast.core.RegionFullException if the device has no room
  int take(int[] into, int most, Slab[] slab) {
    int taken = takeFree(into, most, slab);
    return taken != 0 ? taken : takeOfNewSlab(into, most, slab);
  }

  /// One thread at a time, or each of many that find no slab would make one. Without the list's own
  /// lock, since other classes may be asked to give spans back.
  private int takeOfNewSlab(int[] into, int most, Slab[] slab) {
    synchronized (carving) {
      int taken = takeFree(into, most, slab);
      if (taken == 0) {
        long offset = spans.takeFree(sizeClass.spans());
        if (offset != 0) {
          carve(offset);
        }
        // Without a new slab, too: blocks of this class may have been given back in the search.
        // Test: HeapTest.whatTheDeadHaveKeptIsUsedBeforeTheRegionGrows.
        taken = takeFree(into, most, slab);
      }
      while (taken == 0) {
        carve(spans.take(sizeClass.spans()));
        taken = takeFree(into, most, slab);
      }
      return taken;
    }
  }

  private synchronized int takeFree(int[] into, int most, Slab[] slab) {
    while (true) {
      while (available.isEmpty() && !unread.isEmpty()) {
        Slab read = unread.poll();
        read.read();
        changed(read);
      }
      if (available.isEmpty()) {
        return 0;
      }
      Slab first = available.firstEntry().getValue();
      int taken = first.take(into, most);
      if (!first.hasFree()) {
        available.pollFirstEntry();
      }
      if (taken > 0) {
        slab[0] = first;
        return taken;
      }
    }
  }

  /// Makes a slab of spans that nobody else has. Others know of it from {@link #changed} on, so
  /// that nothing before that is guarded.
  private void carve(long offset) {
    memory.zeroPlain(offset, sizeClass.allocationBytes());
    // SLAB-1: orders the zeros before the word. Without it a crash could leave a slab whose blocks
    // look used for ever. Test: HeapCrashTest.newSlabsAreEmpty.
    memory.writeRelease(
        SpanTable.wordOf(memory, offset),
        SpanTable.slabWord(sizeClass.number(), sizeClass.spans()));
    // Another thread may be the first to keep a block of it, if no log entry for this one's finds
    // room.
    memory.releaseFence();
    Slab slab = new Slab(memory, this, sizeClass, offset);
    slab.read();
    slabs.put(slab);
    changed(slab);
  }

  /// A slab has free blocks, or nothing else.
  synchronized void changed(Slab slab) {
    if (slab.isRetired() || !slab.hasFree()) {
      return; // others were faster
    }
    available.put(slab.offset(), slab);
    if (available.size() > 1) {
      retire(slab);
      if (kept != null) {
        retire(kept);
        kept = null;
      }
    } else if (slab.isEmpty()) {
      kept = slab;
    }
  }

  /// Gives back what is empty.
  synchronized void retireEmpty() {
    for (Slab slab : available.values().toArray(Slab[]::new)) {
      retire(slab);
    }
  }

  private void retire(Slab slab) {
    if (slab.retire()) {
      available.remove(slab.offset());
      slabs.remove(slab);
      // SLAB-2: with the word after the giving back, a crash could leave as a slab what is another
      // slab's or a log's by then. Test: HeapCrashTest.slab2EmptySlabsAreSpansAgain.
      memory.writePlain(SpanTable.wordOf(memory, slab.offset()), SpanTable.word(Use.FREE, 0));
      memory.releaseFence();
      spans.giveBack(slab.offset(), sizeClass.spans());
    }
  }
}
