package io.holdfast.core.heap;

import static io.holdfast.core.memory.RegionLayout.SPAN_BYTES;

import io.holdfast.core.log.SectionLog;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.SpanTable;
import io.holdfast.core.memory.SpanTable.Use;
import io.holdfast.core.section.DeferredChanges;
import io.holdfast.core.section.Section;
import java.util.Arrays;

/// A thread's part of the heap: free blocks that it has taken from slabs for itself, so that it
/// allocates without a lock, and what its section has allocated and freed.
///
/// Of each size class it keeps blocks of one slab, a line of allocation bytes or {@link
/// #BATCH_BYTES}, and as much again of what it frees in that slab; what else becomes free goes back
/// to its slab. Blocks of more than half a batch are not kept.
///
/// What happens to a block in a section, and where it is then:
///
/// | the section | in the log | at its end, on media | the block is free |
/// |---|---|---|---|
/// | allocates | allocation bytes that are set: to be cleared | allocation byte set | no |
/// | frees | to be set | allocation byte cleared | when the section is durable (HEAP-2) |
/// | allocates, frees | as above, or nothing if no entry was needed yet | nothing | in this section at once; else when it is durable, or at once without an entry |
///
/// **HEAP-3** A block whose allocation byte an entry of a section speaks of is nobody else's before
/// the section is durable: recovery may clear or set that allocation byte. So one that was
/// allocated and freed again is kept too, and used again by the same section alone.
///
/// Confined to the thread of its section; another one may only look at what a dead thread has left.
final class BlockCache implements DeferredChanges {
  /// A thread takes so many bytes of blocks at a time: a page; 64 blocks at most, a line of
  /// allocation bytes.
  private static final int BATCH_BYTES = 4096;

  private static final int BATCH_BLOCKS = 64;

  /// Free blocks of one size.
  private static final class Shelf {
    final SlabList list;
    final int batch;

    /// The slab that all of `stack` are of.
    Slab slab;

    final int[] stack;
    int top;

    /// Changes of the section that are cancelled, to be used again in it; `null` if there were
    /// none.
    int[] again;

    int againCount;

    Shelf(SlabList list, int batch) {
      this.list = list;
      this.batch = batch;
      this.stack = new int[Math.max(1, batch == 1 ? 1 : 2 * batch)];
    }
  }

  private final Memory memory;
  private final SpanSource spans;
  private final SlabList[] lists;
  private final Thread owner = Thread.currentThread();
  private final boolean keeps;
  private final Shelf[] shelves = new Shelf[SizeClass.count()];
  private final BlockChanges changes = new BlockChanges();
  private final Slab[] taken = new Slab[1];

  /// The changes before this one have entries in the log.
  private int logged;

  /// Whether a shelf has blocks to be used again.
  private boolean again;

  /// Blocks that are free when the section is durable: slab, and index or number of spans.
  private Slab[] freedSlabs = new Slab[8];

  private int[] freedIndexes = new int[8];
  private long[] freedSpans = new long[8];
  private int freedCount;

  /// The changes of the section that others may know of already, in order; `null` if there never
  /// were any.
  private BlockChanges published;

  /// @param keeps whether it takes more than it needs
  BlockCache(Memory memory, SpanSource spans, SlabList[] lists, boolean keeps) {
    this.memory = memory;
    this.spans = spans;
    this.lists = lists;
    this.keeps = keeps;
  }

  private Shelf shelf(SizeClass sizeClass) {
    Shelf shelf = shelves[sizeClass.number()];
    return shelf != null ? shelf : makeShelf(sizeClass);
  }

  private Shelf makeShelf(SizeClass sizeClass) {
    int batch = keeps ? Math.clamp(BATCH_BYTES / sizeClass.bytes(), 1, BATCH_BLOCKS) : 1;
    Shelf shelf = new Shelf(lists[sizeClass.number()], batch);
    shelves[sizeClass.number()] = shelf;
    return shelf;
  }

  long allocate(Section section, SizeClass sizeClass) {
    Shelf shelf = shelf(sizeClass);
    if (shelf.againCount > 0) {
      int change = shelf.again[--shelf.againCount];
      changes.setState(change, BlockChanges.ALLOCATED);
      return changes.block(change);
    }
    if (shelf.top == 0) {
      shelf.top = shelf.list.take(shelf.stack, shelf.batch, taken);
      shelf.slab = taken[0];
    }
    Slab slab = shelf.slab;
    int index = shelf.stack[--shelf.top];
    long block = sizeClass.blockOffset(slab.offset(), index);
    changes.add(block, slab, index, BlockChanges.ALLOCATED);
    defer(section);
    return block;
  }

  long allocateSpans(Section section, int count) {
    long block = spans.take(count);
    changes.add(block, null, count, BlockChanges.ALLOCATED);
    defer(section);
    return block;
  }

  /// @return what this section has done with a block, -1 if nothing
  int find(long block) {
    return changes.find(block);
  }

  /// Frees a block that this section has allocated.
  ///
  /// @return whether it was still allocated
  boolean cancel(int change) {
    if (changes.state(change) != BlockChanges.ALLOCATED) {
      return false;
    }
    if (change >= logged) {
      takeBack(change);
    } else {
      changes.setState(change, BlockChanges.CANCELLED);
      if (changes.slab(change) != null) {
        useAgain(shelf(changes.slab(change).sizeClass()), change);
      }
    }
    return true;
  }

  /// @return what a block can hold that this section has allocated; -1 if it has not
  long allocatedBytes(long block) {
    int change = changes.find(block);
    if (change < 0 || changes.state(change) != BlockChanges.ALLOCATED) {
      return -1;
    }
    Slab slab = changes.slab(change);
    return slab == null ? (long) changes.index(change) * SPAN_BYTES : slab.sizeClass().bytes();
  }

  private void useAgain(Shelf shelf, int change) {
    if (shelf.again == null) {
      shelf.again = new int[BATCH_BLOCKS];
    }
    if (shelf.againCount == shelf.again.length) {
      shelf.again = Arrays.copyOf(shelf.again, 2 * shelf.againCount);
    }
    shelf.again[shelf.againCount++] = change;
    again = true;
  }

  /// Takes back a change that has no entry: it leaves no trace.
  private void takeBack(int change) {
    if (changes.state(change) == BlockChanges.ALLOCATED) {
      release(changes.slab(change), changes.index(change), changes.block(change));
    }
    changes.remove(change);
  }

  void free(Section section, Slab slab, int index, long block) {
    changes.add(block, slab, index, BlockChanges.FREED);
    defer(section);
  }

  void freeSpans(Section section, long block, int count) {
    changes.add(block, null, count, BlockChanges.FREED);
    defer(section);
  }

  private void defer(Section section) {
    try {
      section.defer();
    } catch (RuntimeException | Error e) {
      takeBack(changes.count() - 1); // the log is full and can't grow: nothing was changed
      throw e;
    }
  }

  @Override
  public int unlogged() {
    return changes.count() - logged;
  }

  @Override
  public void log(SectionLog log, long stamp) {
    for (; logged < changes.count(); logged++) {
      Slab slab = changes.slab(logged);
      if (slab == null) {
        log.willStore(SpanTable.wordOf(memory, changes.block(logged)), stamp);
      } else {
        long allocation = slab.allocationByteOf(changes.index(logged));
        long bit = 1L << ((allocation & 7) << 3);
        if (changes.state(logged) == BlockChanges.ALLOCATED) {
          log.willSetBits(allocation & ~7L, bit, stamp);
        } else {
          log.willClearBits(allocation & ~7L, bit, stamp);
        }
      }
    }
  }

  @Override
  public void store() {
    reserveFreed(changes.count());
    for (int i = 0; i < changes.count(); i++) {
      byte state = changes.state(i);
      if (state != BlockChanges.CANCELLED) {
        store(i, state == BlockChanges.ALLOCATED);
      }
      if (state != BlockChanges.ALLOCATED) {
        addFreed(changes, i);
      }
    }
    forget();
  }

  private void store(int change, boolean allocated) {
    Slab slab = changes.slab(change);
    if (slab != null) {
      memory.writeLoggedByte(
          slab.allocationByteOf(changes.index(change)), (byte) (allocated ? 1 : 0));
    } else {
      long word = allocated ? SpanTable.word(Use.LARGE, changes.index(change)) : 0;
      memory.writeLogged(SpanTable.wordOf(memory, changes.block(change)), word);
    }
  }

  private void reserveFreed(int more) {
    if (freedCount + more > freedSlabs.length) {
      int length = Math.max(freedCount + more, 2 * freedSlabs.length);
      freedSlabs = Arrays.copyOf(freedSlabs, length);
      freedIndexes = Arrays.copyOf(freedIndexes, length);
      freedSpans = Arrays.copyOf(freedSpans, length);
    }
  }

  private void forgetAgain() {
    again = false;
    for (Shelf shelf : shelves) {
      if (shelf != null) {
        shelf.againCount = 0;
      }
    }
  }

  @Override
  public void publish() {
    if (published == null) {
      published = new BlockChanges();
    }
    for (int i = 0; i < changes.count(); i++) {
      published.add(changes.block(i), changes.slab(i), changes.index(i), changes.state(i));
    }
    store();
  }

  @Override
  public void undo() {
    freedCount = 0;
    reserveFreed(changes.count() + (published == null ? 0 : published.count()));
    // Backwards: what was allocated first and freed then is free. Words of spans are the log's.
    // Left out, blocks would be free that are in use. Test:
    // RollbackTest.blocksThatAnOpenReleaseHasPublished.
    for (int i = published == null ? -1 : published.count() - 1; i >= 0; i--) {
      Slab slab = published.slab(i);
      if (slab != null && published.state(i) != BlockChanges.CANCELLED) {
        boolean freed = published.state(i) == BlockChanges.FREED;
        memory.writeLoggedByte(slab.allocationByteOf(published.index(i)), (byte) (freed ? 1 : 0));
      }
      keepUntilDurable(published, i);
    }
    for (int i = 0; i < changes.count(); i++) {
      keepUntilDurable(changes, i); // these have no allocation bytes yet
    }
    forget();
  }

  /// ROLLBACK-3. What it had freed is not free.
  private void keepUntilDurable(BlockChanges undone, int change) {
    if (undone.state(change) != BlockChanges.FREED) {
      addFreed(undone, change);
    }
  }

  private void addFreed(BlockChanges from, int change) {
    freedSlabs[freedCount] = from.slab(change);
    freedIndexes[freedCount] = from.index(change);
    freedSpans[freedCount] = from.block(change);
    freedCount++;
  }

  private void forget() {
    changes.clear();
    logged = 0;
    if (again) {
      forgetAgain();
    }
  }

  private void forgetPublished() {
    if (published != null) {
      published.clear();
    }
  }

  @Override
  public void durable() {
    // HEAP-2. Test: HeapCrashTest.heap2FreedBlocksKeepTheirContentUntilDurable.
    for (int i = 0; i < freedCount; i++) {
      release(freedSlabs[i], freedIndexes[i], freedSpans[i]);
    }
    freedCount = 0;
    forgetPublished();
  }

  private void release(Slab slab, int index, long block) {
    if (slab == null) {
      spans.giveBack(block, index);
      return;
    }
    Shelf shelf = shelf(slab.sizeClass());
    if (shelf.slab == slab && shelf.batch > 1 && shelf.top < shelf.stack.length) {
      shelf.stack[shelf.top++] = index;
    } else {
      slab.giveBack(index);
    }
  }

  @Override
  public Runnable takeFollowUps() {
    Slab[] slabs = Arrays.copyOf(freedSlabs, freedCount);
    int[] indexes = Arrays.copyOf(freedIndexes, freedCount);
    long[] blocks = Arrays.copyOf(freedSpans, freedCount);
    freedCount = 0;
    forgetPublished();
    return () -> {
      // HEAP-2. Test: HeapDependencyCrashTest.heap2WhatAWaitingSectionFreedIsNotUsed.
      for (int i = 0; i < slabs.length; i++) {
        if (slabs[i] == null) {
          spans.giveBack(blocks[i], indexes[i]);
        } else {
          slabs[i].giveBack(indexes[i]);
        }
      }
    };
  }

  boolean isOfDeadThread() {
    return !owner.isAlive();
  }

  boolean keeps() {
    return keeps;
  }

  /// Gives back what the thread has kept, and what it allocated outside of sections and had no
  /// section for any more. Called by its thread, or when that is dead.
  ///
  /// @param dead whether it is
  void giveBackKept(boolean dead) {
    for (Shelf shelf : shelves) {
      if (shelf != null) {
        while (shelf.top > 0) {
          shelf.slab.giveBack(shelf.stack[--shelf.top]);
        }
        shelf.slab = null;
      }
    }
    while (dead && logged == 0 && changes.count() > 0) {
      takeBack(changes.count() - 1);
    }
  }
}
