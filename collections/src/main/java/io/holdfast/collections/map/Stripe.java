package io.holdfast.collections.map;

import static io.holdfast.collections.map.MapLayout.READY;
import static io.holdfast.core.memory.RegionLayout.LINE_BYTES;

import io.holdfast.core.heap.Heap;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.recovery.Region;
import io.holdfast.core.section.Section;
import io.holdfast.core.section.SectionHooks;
import io.holdfast.core.section.SectionLock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;

/// A part of a map: a lock, an index, and chunks of slots.
///
/// ## Outside of sections
///
/// A put is Listing 5 of the CSO paper, in this order; a crash between any two leaves the map as
/// before, or as behind:
///
/// 1. INTENT, with release: if the process dies, opening voids the slot that it names;
/// 2. the entry, in a void slot (MAP-1, MAP-2); its flush, and that of the slot that the operation
///    before has made void;
/// 3. the search in the index, while the lines are on their way;
/// 4. the record of what is to come (MAP-5), and the fence: the one round trip;
/// 5. STATE with READY, with release. From here on a crash of the process is completed;
/// 6. the index word (MAP-4), the free lists, the old entry void: each with release;
/// 7. STATE without READY, with release.
///
/// A removal has no entry: it makes META void behind READY, flushes and fences, and goes on with 6.
/// If the same key's last entry was made void by the operation just before, and perhaps not durably
/// so, a fence comes first, or that entry could revive (MAP-3).
///
/// Nothing but slots is flushed: the rest outlives the process, and is made anew when the power
/// failed.
///
/// ## In sections
///
/// Whoever is in a section of several stores, and every operation that needs a chunk, a split or
/// the stripe itself, stores all words through the section; the slot's bytes too, because a slot
/// that an open section has freed may be the one it takes. The sequence is odd meanwhile, so that
/// readers wait for the lock, behind which they find the open release.
///
/// Thread-safe: writers hold the lock, readers take none (MAP-6).
final class Stripe implements Comparable<Stripe> {
  private static final VarHandle SEQUENCE;

  static {
    try {
      SEQUENCE = MethodHandles.lookup().findVarHandle(Stripe.class, "sequence", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /// Words that a put in a section stores, next to what growing takes.
  private static final int STORES_MAX = 12;

  /// How often a reader tries without the lock.
  private static final int ATTEMPTS = 3;

  private final Region region;
  private final Memory memory;
  private final Memory unordered;
  private final Heap heap;
  private final Slots slots;
  private final StripeIndex index;
  private final StripeReader reader;
  private final StripeBlocks blocks;
  private final KeyedHash hashing;
  private final Batches batches;

  private final Deletion deletion;

  /// The root's word that has the stripe's block.
  private final long anchor;

  /// Stands for the stripe in dependencies.
  private final Object key = new Object();

  private final SectionLock lock;

  /// Odd while what readers look at is not to be looked at; stored under the lock.
  @SuppressWarnings("unused") // by SEQUENCE
  private long sequence;

  // Guarded by the lock.

  private final Change change = new Change();

  /// Whether an operation has begun and not ended: its exception has left it so.
  private boolean underWay;

  /// The slot that the last operation made void, and has not flushed; or 0.
  private long voided;

  /// The hash of its key.
  private long voidedHash;

  /// Further ones, if the last operation was a batch; durable before the next one begins (MAP-2).
  private final List<Long> alsoVoided = new ArrayList<>(0);

  Stripe(
      Region region,
      Slots slots,
      StripeIndex index,
      KeyedHash hashing,
      Batches batches,
      Deletion deletion,
      long anchor) {
    this.region = region;
    this.memory = region.memory();
    this.unordered = memory.unordered();
    this.heap = region.heap();
    this.slots = slots;
    this.index = index;
    this.reader = new StripeReader(unordered, slots, anchor);
    this.blocks = new StripeBlocks(memory, heap, index);
    this.hashing = hashing;
    this.batches = batches;
    this.deletion = deletion;
    this.anchor = anchor;
    this.lock = new SectionLock(region.sections(), key);
  }

  private long block() {
    return unordered.readPlain(anchor);
  }

  // Reading

  /// The value of a key, or `null`.
  Encoded get(long hash, Encoded sought) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      long before = (long) SEQUENCE.getAcquire(this);
      if ((before & 1) == 0) {
        Encoded found = reader.look(hash, sought);
        VarHandle.acquireFence();
        if (!isTorn(found) && (long) SEQUENCE.getOpaque(this) == before) {
          // MAP-4: who has seen what a section did that is still open depends on it.
          // Test: MapSectionCrashTest.p2WhatIsSeenIsDependedOn.
          SectionHooks.observed(key);
          return found;
        }
      }
    }
    return locked(section -> current(hash, sought));
  }

  private static boolean isTorn(Encoded found) {
    return found != null && found.isTorn();
  }

  /// Under the lock.
  private Encoded current(long hash, Encoded sought) {
    long block = block();
    long at = block == 0 ? 0 : index.place(block, hash, sought);
    long word = at == 0 ? 0 : unordered.readPlain(at);
    return word == 0 ? null : slots.value(MapLayout.slotOf(word));
  }

  /// How many entries there are. Takes the lock only if others change them.
  long count() {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      long before = (long) SEQUENCE.getAcquire(this);
      if ((before & 1) == 0) {
        long count = reader.count();
        VarHandle.acquireFence();
        if (count >= 0 && (long) SEQUENCE.getOpaque(this) == before) {
          SectionHooks.observed(key); // MAP-4: behind the look
          return count;
        }
      }
    }
    return locked(section -> reader.count());
  }

  // Changing

  interface Action<R> {
    R run(Section section);
  }

  /// Runs something under the lock, in a section.
  <R> R locked(Action<R> action) {
    Section section = lock.lock();
    R result;
    try {
      beUsable();
      result = action.run(section);
    } finally {
      endSection(section);
    }
    region.sections().checkKept();
    return result;
  }

  void endSection(Section section) {
    if (underWay) {
      holdReaders(); // an exception: until the next operation has settled it
    }
    lock.endSection(section);
    long now = (long) SEQUENCE.getOpaque(this);
    if ((now & 1) != 0 && !underWay && !deletion.isDeleted()) {
      // Behind the section's end, or its open release: who reads from now on finds it.
      // Test: MapThreadsTest.nothingIsSeenBeforeItsSectionEnds.
      SEQUENCE.setRelease(this, now + 1);
    }
    lock.unlock();
  }

  /// From here to the section's end readers wait.
  void holdReaders() {
    long now = (long) SEQUENCE.getOpaque(this);
    if ((now & 1) == 0) {
      SEQUENCE.setVolatile(this, now + 1);
      VarHandle.fullFence(); // before the first store that they must not act upon
    }
  }

  /// Stores an entry.
  ///
  /// @return the value before, or `null`
  Encoded put(long hash, Encoded sought, Encoded value) {
    return locked(section -> put(section, hash, sought, value));
  }

  /// Removes an entry.
  ///
  /// @return the value before, or `null`
  Encoded remove(long hash, Encoded sought) {
    return locked(section -> remove(section, hash, sought));
  }

  /// Replaces a value by what a function makes of it; `null` is no entry.
  ///
  /// @return the value that is there now, or `null`
  @SuppressWarnings("ReferenceEquality") // the very same object is no change
  Encoded compute(long hash, Encoded sought, UnaryOperator<Encoded> function) {
    return locked(
        section -> {
          Encoded before = current(hash, sought);
          Encoded after = function.apply(before);
          if (after == null) {
            if (before != null) {
              remove(section, hash, sought);
            }
          } else if (after != before) {
            put(section, hash, sought, after);
          }
          return after;
        });
  }

  private Encoded put(Section section, long hash, Encoded sought, Encoded value) {
    Encoded before = section.isAlone() ? putAlone(hash, sought, value) : Encoded.TORN;
    return isTorn(before) ? putInSection(section, hash, sought, value) : before;
  }

  private Encoded remove(Section section, long hash, Encoded sought) {
    long block = block();
    long at = block == 0 ? 0 : index.place(block, hash, sought);
    long word = at == 0 ? 0 : unordered.readPlain(at);
    if (word == 0) {
      return null;
    }
    long old = MapLayout.slotOf(word);
    Encoded before = slots.value(old);
    change.entry = 0;
    change.word = at;
    free(block, old);
    change.next = 0;
    long version = (unordered.readPlain(block + MapLayout.STATE) >>> 1) + 1;
    long count = unordered.readPlain(MapLayout.countAt(block, version - 1)) - 1;
    if (section.isAlone()) {
      removeAlone(block, hash, version, count);
    } else {
      holdReaders();
      flushVoided();
      batches.closeBefore(unordered.readPlain(old));
      section.reserve(STORES_MAX);
      change.apply(unordered, block, section::write);
      end(section, block, version, count);
    }
    return before;
  }

  /// Completes or drops what the last process left behind (MAP-5).
  void open() {
    underWay = true;
    locked(section -> null);
  }

  /// Completes or drops what a crash, or an exception, has cut off (MAP-5).
  private void settle() {
    if (underWay) {
      long block = block();
      if (block != 0) {
        settle(block);
      }
      underWay = false;
    }
  }

  private void settle(long block) {
    long state = unordered.readPlain(block + MapLayout.STATE);
    if ((state & READY) != 0) {
      change.read(unordered, block);
      applyAlone(block);
      unordered.writeRelease(block + MapLayout.STATE, state & ~READY);
      flushVoided();
    } else {
      long intent = unordered.readPlain(block + MapLayout.INTENT);
      long slot = MapLayout.slotOf(intent);
      long meta = slot == 0 ? 0 : unordered.readPlain(slot);
      long version = MapLayout.version(meta);
      if (version > state >>> 1 && version != batches.readyVersion()) { // BATCH-3
        // Its polarity is that of the entry before, which is what further lines may still have.
        voidDurably(slot, MapLayout.polarity(meta) ^ 1);
      }
    }
    unordered.releaseFence();
  }

  private void voidDurably(long slot) {
    voidDurably(slot, MapLayout.polarity(unordered.readPlain(slot)));
  }

  private void voidDurably(long slot, long meta) {
    unordered.writeRelease(slot, meta);
    unordered.flush(slot, Long.BYTES);
    unordered.fence();
  }

  private void flushVoided() {
    if (voided != 0 || !alsoVoided.isEmpty()) {
      flushVoidedOfBatch();
      unordered.fence();
      voided = 0;
      alsoVoided.clear();
    }
  }

  // Outside of sections

  /// @return the value before; TORN if the stripe must grow first, and nothing has changed
  private Encoded putAlone(long hash, Encoded sought, Encoded value) {
    long block = block();
    if (block == 0) {
      return Encoded.TORN;
    }
    int sizeClass = SlotClass.holding(sought.length() + value.length());
    int lines = SlotClass.lines(sizeClass);
    long slot = take(block, sizeClass);
    if (slot == 0) {
      return Encoded.TORN;
    }
    closeLastBatch();
    underWay = true;
    long version = (unordered.readPlain(block + MapLayout.STATE) >>> 1) + 1;
    // What is stored here must not be seen before the last operation's end (MAP-5), nor the slot's
    // bytes before it was void (MAP-6).
    unordered.releaseFence();
    change.entry = MapLayout.indexWord(hash, slot);
    unordered.writeRelease(block + MapLayout.INTENT, change.entry);
    long polarity = MapLayout.polarity(unordered.readPlain(slot)) ^ 1;
    slots.store(slot, lines, sought, value, MapLayout.meta(version, 1, polarity));
    if (voided != 0) {
      unordered.flush(voided, Long.BYTES); // MAP-2
    }
    long at = index.place(block, hash, sought);
    if (at == 0) {
      voidDurably(slot, polarity ^ 1);
      underWay = false;
      return Encoded.TORN;
    }
    long word = unordered.readPlain(at);
    long count = unordered.readPlain(MapLayout.countAt(block, version - 1));
    Encoded before = null;
    change.word = at;
    change.old = 0;
    if (word == 0) {
      count++;
    } else {
      long old = MapLayout.slotOf(word);
      before = slots.value(old);
      free(block, old);
      if (batches.isOpen(unordered.readPlain(old))) {
        batches.flushDone(); // BATCH-2
      }
    }
    change.record(unordered, block);
    unordered.writePlain(MapLayout.countAt(block, version), count);
    // MAP-4: the entry, and that the slot freed before is void, are durable behind this.
    // Test: MapCrashTest.map1EntryOfOneLine.
    unordered.fence();
    voided = 0;
    unordered.writeRelease(block + MapLayout.STATE, version << 1 | READY);
    applyAlone(block);
    voidedHash = hash;
    unordered.writeRelease(block + MapLayout.STATE, version << 1);
    underWay = false;
    return before;
  }

  /// Finds a free slot, and notes what taking it will store.
  ///
  /// @return 0 if there is none
  private long take(long block, int sizeClass) {
    long itsClass = MapLayout.classAt(block, sizeClass);
    long head = unordered.readPlain(itsClass + MapLayout.CLASS_HEAD);
    // MAP-2: the last one freed may not be void durably. Test: MapCrashTest.map2Reuse.
    if (head != 0 && head != unordered.readPlain(itsClass + MapLayout.CLASS_TAIL)) {
      change.next = unordered.readPlain(head + MapLayout.LINK);
      return head;
    }
    long bump = unordered.readPlain(itsClass + MapLayout.CLASS_BUMP);
    int left = MapLayout.bumpLeft(bump);
    if (left == 0) {
      return 0;
    }
    long slot = MapLayout.bumpSlot(bump);
    long lines = SlotClass.lines(sizeClass);
    change.next = MapLayout.bump(slot + lines * LINE_BYTES, left - 1) << 1 | 1;
    return slot;
  }

  /// Notes what freeing a slot will store.
  private void free(long block, long old) {
    long lengths = unordered.readPlain(old + MapLayout.LENGTHS);
    long itsClass = MapLayout.classAt(block, SlotClass.ofLengths(lengths));
    change.old = old;
    change.tail = unordered.readPlain(itsClass + MapLayout.CLASS_TAIL);
  }

  private void applyAlone(long block) {
    change.apply(unordered, block, unordered::writeRelease);
    voided = change.old;
  }

  private void removeAlone(long block, long hash, long version, long count) {
    closeLastBatch();
    batches.closeBefore(unordered.readPlain(change.old));
    if (voided != 0 && voidedHash == hash) {
      flushVoided(); // MAP-3. Test: MapCrashTest.map3RemovalBehindAnUpdate.
    }
    underWay = true;
    unordered.releaseFence(); // MAP-5, as for a put
    change.record(unordered, block);
    unordered.writePlain(MapLayout.countAt(block, version), count);
    unordered.writeRelease(block + MapLayout.STATE, version << 1 | READY);
    if (voided != 0) {
      unordered.flush(voided, Long.BYTES); // MAP-2
    }
    voidDurably(change.old); // MAP-4. Test: MapCrashTest.map4RemovalIsDurable.
    applyAlone(block);
    voided = 0;
    unordered.writeRelease(block + MapLayout.STATE, version << 1);
    underWay = false;
  }

  // In sections

  private void closeLastBatch() {
    if (!alsoVoided.isEmpty()) {
      flushVoided();
    }
  }

  private Encoded putInSection(Section section, long hash, Encoded sought, Encoded value) {
    holdReaders();
    flushVoided();
    if (block() == 0) {
      create(section);
    }
    long block = block();
    long at = index.place(block, hash, sought);
    while (at == 0) {
      index.split(section, block, hash);
      at = index.place(block, hash, sought);
    }
    int sizeClass = SlotClass.holding(sought.length() + value.length());
    long slot = take(block, sizeClass);
    if (slot == 0) {
      addChunk(section, block, sizeClass);
      slot = take(block, sizeClass);
    }
    int lines = SlotClass.lines(sizeClass);
    long polarity = MapLayout.polarity(unordered.readPlain(slot)) ^ 1;
    byte[] image = slots.image(slot, lines, sought, value, polarity);
    section.copy(
        slot + MapLayout.LENGTHS, image, MapLayout.LENGTHS, image.length - MapLayout.LENGTHS);
    section.reserve(STORES_MAX);
    long version = (unordered.readPlain(block + MapLayout.STATE) >>> 1) + 1;
    section.write(slot, MapLayout.meta(version, 1, polarity));
    long word = unordered.readPlain(at);
    long count = unordered.readPlain(MapLayout.countAt(block, version - 1));
    Encoded before = null;
    change.entry = MapLayout.indexWord(hash, slot);
    change.word = at;
    change.old = 0;
    if (word == 0) {
      count++;
    } else {
      long old = MapLayout.slotOf(word);
      before = slots.value(old);
      free(block, old);
      batches.closeBefore(unordered.readPlain(old));
    }
    change.apply(unordered, block, section::write);
    end(section, block, version, count);
    return before;
  }

  private static void end(Section section, long block, long version, long count) {
    section.write(MapLayout.countAt(block, version), count);
    section.write(block + MapLayout.STATE, version << 1);
  }

  private void create(Section section) {
    section.reserve(8);
    long block = heap.allocate(MapLayout.STRIPE_BYTES);
    long directory;
    try {
      directory = StripeIndex.create(memory, heap);
    } catch (RuntimeException | Error e) {
      heap.free(block);
      throw e;
    }
    memory.zeroPlain(block, MapLayout.STRIPE_BYTES);
    memory.writePlain(block + MapLayout.DIRECTORY, directory);
    section.write(anchor, block);
  }

  private void addChunk(Section section, long block, int sizeClass) {
    section.reserve(8);
    long itsClass = MapLayout.classAt(block, sizeClass);
    long newest = memory.readPlain(itsClass + MapLayout.CLASS_CHUNK);
    int newestLines = newest == 0 ? 0 : (int) memory.readPlain(newest + MapLayout.CHUNK_LINES);
    int lines = SlotClass.nextChunkLines(sizeClass, newestLines);
    long chunk = heap.allocate((long) lines * LINE_BYTES);
    // MAP-2: all slots are void, and their validities level.
    memory.zeroPlain(chunk, (long) lines * LINE_BYTES);
    memory.writePlain(chunk + MapLayout.CHUNK_OLDER, newest);
    memory.writePlain(chunk + MapLayout.CHUNK_LINES, lines);
    memory.writePlain(chunk + MapLayout.CHUNK_CLASS, sizeClass);
    section.write(itsClass + MapLayout.CLASS_CHUNK, chunk);
    section.write(
        itsClass + MapLayout.CLASS_BUMP,
        MapLayout.bump(chunk + LINE_BYTES, SlotClass.slots(sizeClass, lines)));
  }

  // In a batch: the caller holds the locks of all its stripes

  /// In the order in which locks are taken.
  @Override
  public int compareTo(Stripe other) {
    return Long.compare(anchor, other.anchor);
  }

  /// Locks the first of a batch's stripes, and is in a section from here on.
  Section beginBatch() {
    Section section = lock.lock();
    try {
      beUsable();
      closeLastBatch();
    } catch (RuntimeException | Error e) {
      endSection(section);
      throw e;
    }
    return section;
  }

  /// Locks a further one.
  void joinBatch() {
    lock.waiting().lock();
    try {
      SectionHooks.observed(key);
      beUsable();
      closeLastBatch();
    } catch (RuntimeException | Error e) {
      lock.unlock();
      throw e;
    }
  }

  /// Under the lock, before anything is looked at.
  private void beUsable() {
    region.sections().checkUsable();
    deletion.check(); // MAP-8
    settle();
  }

  void leaveBatch() {
    long now = (long) SEQUENCE.getOpaque(this);
    if ((now & 1) != 0 && !underWay && !deletion.isDeleted()) {
      SEQUENCE.setRelease(this, now + 1);
    }
    lock.unlock();
  }

  long version() {
    return unordered.readPlain(block() + MapLayout.STATE) >>> 1;
  }

  /// Finds a slot for an entry behind those that the batch has taken before.
  ///
  /// @param news how many keys the batch adds, by bucket
  /// @param cursors HEAD and BUMP as they will be, by class
  boolean plan(Batches.Put put, Map<Long, Integer> news, Map<Long, long[]> cursors) {
    long block = block();
    long at = block == 0 ? 0 : index.place(block, put.hash, put.key);
    if (at == 0 || unordered.readPlain(at) == 0 && !index.hasRoom(block, put.hash, news)) {
      return false;
    }
    int sizeClass = SlotClass.holding(put.key.length() + put.value.length());
    long itsClass = MapLayout.classAt(block, sizeClass);
    long[] cursor =
        cursors.computeIfAbsent(
            itsClass,
            c ->
                new long[] {
                  unordered.readPlain(c + MapLayout.CLASS_HEAD),
                  unordered.readPlain(c + MapLayout.CLASS_BUMP)
                });
    long tail = unordered.readPlain(itsClass + MapLayout.CLASS_TAIL);
    if (cursor[0] != 0 && cursor[0] != tail) {
      put.slot = cursor[0];
      cursor[0] = unordered.readPlain(put.slot + MapLayout.LINK);
      put.next = cursor[0];
      return true;
    }
    int left = MapLayout.bumpLeft(cursor[1]);
    if (left == 0) {
      return false;
    }
    put.slot = MapLayout.bumpSlot(cursor[1]);
    cursor[1] = MapLayout.bump(put.slot + (long) SlotClass.lines(sizeClass) * LINE_BYTES, left - 1);
    put.next = cursor[1] << 1 | 1;
    return true;
  }

  void storeOfBatch(Batches.Put put, long version, int count) {
    underWay = true;
    int lines = SlotClass.lines(SlotClass.holding(put.key.length() + put.value.length()));
    long polarity = MapLayout.polarity(unordered.readPlain(put.slot)) ^ 1;
    slots.store(put.slot, lines, put.key, put.value, MapLayout.meta(version, count, polarity));
  }

  /// Starts writing back what was made void and may not be durable.
  void flushVoidedOfBatch() {
    if (voided != 0) {
      unordered.flush(voided, Long.BYTES);
    }
    alsoVoided.forEach(slot -> unordered.flush(slot, Long.BYTES));
  }

  void publishOfBatch(Batches.Put put, long batch) {
    publish(put.hash, put.key, put.slot, put.next, batch);
    if (change.old != 0) {
      alsoVoided.add(change.old);
    }
    underWay = false;
  }

  /// Publishes an entry of a batch that the last process died in publishing, if it had not.
  void publishAgain(long hash, long slot, long batch) {
    locked(
        section -> {
          long block = block();
          Encoded its = slots.key(slot);
          long word = unordered.readPlain(index.place(block, hash, its));
          if (word != MapLayout.indexWord(hash, slot)) {
            int sizeClass = SlotClass.ofLengths(unordered.readPlain(slot + MapLayout.LENGTHS));
            long itsClass = MapLayout.classAt(block, sizeClass);
            long bump = unordered.readPlain(itsClass + MapLayout.CLASS_BUMP);
            boolean isFree = unordered.readPlain(itsClass + MapLayout.CLASS_HEAD) == slot;
            long lines = SlotClass.lines(sizeClass);
            long next =
                isFree
                    ? unordered.readPlain(slot + MapLayout.LINK)
                    : MapLayout.bump(slot + lines * LINE_BYTES, MapLayout.bumpLeft(bump) - 1) << 1
                        | 1;
            publish(hash, its, slot, next, batch);
            flushVoided();
          }
          return null;
        });
  }

  private void publish(long hash, Encoded its, long slot, long next, long batch) {
    long block = block();
    unordered.releaseFence(); // MAP-5
    long at = index.place(block, hash, its);
    long word = unordered.readPlain(at);
    long state = unordered.readPlain(block + MapLayout.STATE) >>> 1;
    long version = Math.max(state + 1, batch);
    long count = unordered.readPlain(MapLayout.countAt(block, state));
    change.entry = MapLayout.indexWord(hash, slot);
    change.word = at;
    change.old = 0;
    change.next = next;
    if (word == 0) {
      count++;
    } else {
      free(block, MapLayout.slotOf(word));
    }
    change.record(unordered, block);
    unordered.writePlain(MapLayout.countAt(block, version), count);
    unordered.writeRelease(block + MapLayout.STATE, version << 1 | READY);
    applyAlone(block);
    voidedHash = hash;
    unordered.writeRelease(block + MapLayout.STATE, version << 1);
  }

  // As a whole

  /// Leaves the stripe without anything; under its lock, in a section.
  void clear(Section section, StripeGarbage garbage) {
    long block = block();
    if (block != 0) {
      holdReaders();
      flushVoided();
      garbage.add(section, block);
      section.write(anchor, 0);
    }
  }

  /// The map is there again.
  void letReadersIn() {
    long now = (long) SEQUENCE.getOpaque(this);
    if ((now & 1) != 0) {
      SEQUENCE.setRelease(this, now + 1);
    }
  }

  /// Makes all but the slots anew.
  ///
  /// @return what must be finished when all stripes have come so far, or `null` for none
  StripeRebuild rebuild() {
    return locked(
        section -> {
          long block = block();
          if (block == 0) {
            return null;
          }
          StripeRebuild rebuild =
              new StripeRebuild(unordered, slots, index, blocks, hashing, block, section, batches);
          rebuild.run();
          return rebuild;
        });
  }

  long finish(StripeRebuild rebuild, Set<Long> wholeBatches) {
    return locked(section -> rebuild.finish(wholeBatches));
  }

  /// The entries of the segment that some top bits of the hash belong to.
  ///
  /// @return the first top bits of the next segment, 0 if there is none
  long walk(long from, List<EntryMap.Entry> into) {
    return locked(
        section -> {
          long block = block();
          return block == 0 ? 0L : index.walk(block, from, into);
        });
  }

  long validate() {
    return locked(
        section -> {
          long block = block();
          return block == 0
              ? 0L
              : new StripeValidator(unordered, slots, index, blocks, hashing, block).run();
        });
  }

  void forEachBlock(LongConsumer visitor) {
    visit(block -> blocks.forEach(block, visitor));
  }

  void forEachSegment(StripeIndex.SegmentVisitor visitor) {
    visit(block -> index.forEachSegment(block, visitor));
  }

  void forEachSlot(StripeBlocks.SlotVisitor visitor) {
    visit(block -> blocks.forEachSlot(block, visitor));
  }

  /// Calls a visitor with the stripe's block, if there is one.
  void visit(LongConsumer visitor) {
    locked(
        section -> {
          long block = block();
          if (block != 0) {
            visitor.accept(block);
          }
          return null;
        });
  }
}
