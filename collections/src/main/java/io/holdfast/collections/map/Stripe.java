package io.holdfast.collections.map;

import io.holdfast.codec.Encoded;
import io.holdfast.codec.EncodedEntry;
import io.holdfast.collections.inspect.Inspector;
import io.holdfast.collections.inspect.Trail;
import io.holdfast.collections.map.index.StripeBlocks;
import io.holdfast.collections.map.index.StripeIndex;
import io.holdfast.collections.map.repair.StripeRebuild;
import io.holdfast.collections.map.repair.StripeValidator;
import io.holdfast.collections.map.slot.MapLayout;
import io.holdfast.collections.map.slot.Slots;
import io.holdfast.collections.map.write.BatchWriter;
import io.holdfast.collections.map.write.BatchedStripe;
import io.holdfast.collections.map.write.Batches;
import io.holdfast.collections.map.write.LargeEntries;
import io.holdfast.collections.map.write.MapParts;
import io.holdfast.collections.map.write.SectionWriter;
import io.holdfast.collections.map.write.SingleTripWriter;
import io.holdfast.collections.map.write.StripeGarbage;
import io.holdfast.collections.map.write.StripeState;
import io.holdfast.collections.map.write.UpdateWriter;
import io.holdfast.collections.overlay.Claims;
import io.holdfast.collections.overlay.Part;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.RegionFullException;
import io.holdfast.core.StoreClosedException;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.section.Section;
import io.holdfast.core.section.SectionLock;
import io.holdfast.core.section.Sections;
import io.holdfast.core.section.hooks.SectionHooks;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;

/// A part of a map: a lock, an index, and chunks of slots.
///
/// A put is done by the first that can: {@link UpdateWriter}, where the value is; {@link
/// SingleTripWriter}, outside of sections; {@link SectionWriter}, which also lets the stripe grow.
///
/// Thread-safe: writers hold the lock, readers take none (MAP-6).
final class Stripe implements BatchedStripe, Part {
  private final MapParts parts;
  private final Sections sections;
  private final Memory unordered;
  private final StripeIndex index;
  private final Slots slots;
  private final StripeState state;
  private final StripeReader reader;
  private final LargeEntries large;
  private final UpdateWriter updates;
  private final SingleTripWriter single;
  private final SectionWriter inSection;
  private final BatchWriter batch;

  /// Stands for the stripe in dependencies.
  private final Object key = new Object();

  private final SectionLock lock;

  private final Claims claims;

  /// @param anchor the root's word that has the stripe's block
  Stripe(MapParts parts, long anchor) {
    this.parts = parts;
    this.sections = parts.region().sections();
    this.unordered = parts.unordered();
    this.index = parts.index();
    this.slots = parts.slots();
    this.state = new StripeState(parts, anchor);
    this.reader = new StripeReader(unordered, slots, state, key);
    this.large = new LargeEntries(parts);
    this.updates = UpdateWriter.of(parts, state);
    this.single = new SingleTripWriter(parts, state);
    this.inSection = new SectionWriter(parts, state, large);
    this.batch = new BatchWriter(parts, state, single);
    this.lock = new SectionLock(sections, key);
    this.claims = parts.claims();
  }

  // Reading

  /// Looks without the lock.
  StripeReader reader() {
    return reader;
  }

  /// The value of a key, or `null`, for whom the reader can't tell.
  Encoded getLocked(long hash, Encoded sought) {
    hold();
    try {
      return current(hash, sought);
    } finally {
      unlock();
    }
  }

  /// Under the lock.
  private Encoded current(long hash, Encoded sought) {
    long at = place(hash, sought);
    return at == 0 ? null : slots.value(MapLayout.slotOf(unordered.readPlain(at)));
  }

  /// Where the index word of a key is, 0 if it has none.
  private long place(long hash, Encoded sought) {
    long stripe = state.block();
    long at = stripe == 0 ? 0 : index.place(stripe, hash, sought);
    return at == 0 || unordered.readPlain(at) == 0 ? 0 : at;
  }

  /// How many entries there are. Takes the lock only if others change them.
  long count() {
    long count = reader.count();
    return count < 0 ? quietly(section -> state.count()) : count;
  }

  /// How many operations there were, from any beginning, as a race tells.
  long changes() {
    long block = state.block();
    return block == 0 ? 0 : state.version(block) + state.updates;
  }

  // Changing

  interface Action<R> {
    R run(Section section);
  }

  /// Runs something under the lock, in a section, and says that something may have changed.
  <R> R locked(Action<R> action) {
    try {
      return quietly(action);
    } finally {
      sections.changed();
    }
  }

  /// Runs something under the lock, in a section, of which nobody has to be told.
  private <R> R quietly(Action<R> action) {
    Section section = lock.lock();
    R result;
    try {
      beUsable();
      result = action.run(section);
    } catch (VirtualMachineError e) {
      if (state.changing) {
        section.breakOff(e);
      }
      throw e;
    } finally {
      endSection(section);
    }
    sections.checkCommitted();
    return result;
  }

  /// Under the lock, before anything is looked at.
  private void beUsable() {
    sections.checkUsable();
    parts.deletion().check(); // MAP-8
    if (state.underWay) {
      long stripe = state.block();
      if (stripe != 0) {
        single.settle(stripe);
      }
      state.underWay = false;
    }
  }

  @Override
  public void endSection(Section section) {
    try {
      endChange();
      lock.endSection(section);
      // After the section's end, or its uncommitted release: a reader finds the change from now on.
      // Test: KeyedThreadsContract.nothingIsSeenBeforeItsSectionEnds.
      unlock();
    } catch (VirtualMachineError e) {
      section.breakOff(e); // or threads that wait for the lock would wait for ever (LOCK-4)
      throw e;
    }
  }

  /// Stores an entry.
  ///
  /// @return the value before, or `null`
  Encoded put(long hash, Encoded sought, Encoded value) {
    return locked(
        section -> {
          Claims.Claim claim = claims.buildOn(section, sought);
          Encoded before = put(section, hash, sought, value);
          return claim == null ? before : cover(section, claim);
        });
  }

  /// @return the value that was built on
  private Encoded cover(Section section, Claims.Claim claim) {
    claims.cover(section, claim);
    return claim.value();
  }

  /// Removes an entry.
  ///
  /// @return the value before, or `null`
  Encoded remove(long hash, Encoded sought) {
    return locked(
        section -> {
          Claims.Claim claim = claims.buildOn(section, sought);
          Encoded before = remove(section, hash, sought);
          return claim == null ? before : cover(section, claim);
        });
  }

  /// Stores a value, whatever is claimed; `null` to remove the key. The thread has the stripe by
  /// {@link #hold}, and is in the middle of its section.
  ///
  /// @param isAlone whether it is all that the section does (ALONE-1)
  void store(long hash, Encoded key, Encoded value, boolean isAlone) {
    Section section = sections.current();
    try {
      beUsable();
      if (value == null) {
        clear(section, hash, key, isAlone);
      } else {
        store(section, hash, key, value, isAlone);
      }
      if (!isAlone) { // else the next operation gives back what is empty: this one is complete
        release(section, false, false);
      }
    } catch (VirtualMachineError e) {
      if (state.changing) {
        section.breakOff(e);
      }
      throw e;
    } finally {
      endChange();
    }
    sections.checkCommitted();
  }

  private void endChange() {
    state.changing = false;
    if (state.underWay) {
      state.seqlock.hold(); // an exception: until the next operation has settled it
    }
  }

  /// Replaces a value by what a function makes of it; `null` is no entry.
  ///
  /// @return the value that is there now, or `null`
  @SuppressWarnings("ReferenceEquality") // the very same object is no change
  Encoded compute(long hash, Encoded sought, UnaryOperator<Encoded> function) {
    return locked(
        section -> {
          Claims.Claim claim = claims.buildOn(section, sought);
          Encoded before = claim == null ? current(hash, sought) : claim.value();
          Encoded after = function.apply(before);
          if (after == before) {
            return after;
          }
          if (after == null) {
            remove(section, hash, sought);
          } else {
            put(section, hash, sought, after);
          }
          if (claim != null) {
            claims.cover(section, claim);
          }
          return after;
        });
  }

  private Encoded put(Section section, long hash, Encoded sought, Encoded value) {
    boolean isAlone = section.isAlone();
    Encoded before = store(section, hash, sought, value, isAlone);
    release(section, isAlone, section.isAlone());
    return before;
  }

  /// @param isAlone whether it is all that its section does
  @SuppressWarnings("ReferenceEquality") // an empty value is another object
  private Encoded store(
      Section section, long hash, Encoded sought, Encoded value, boolean isAlone) {
    Encoded before = updates.put(section, hash, sought, value, isAlone);
    if (before == StripeState.NOT_STORED && isAlone) {
      before = single.put(hash, sought, value);
    }
    if (before == StripeState.NOT_STORED) {
      before = inSection.put(section, hash, sought, value);
    }
    return before;
  }

  private Encoded remove(Section section, long hash, Encoded sought) {
    boolean isAlone = section.isAlone();
    Encoded before = clear(section, hash, sought, isAlone);
    release(section, isAlone, section.isAlone());
    return before;
  }

  private Encoded clear(Section section, long hash, Encoded sought, boolean isAlone) {
    long at = place(hash, sought);
    if (at == 0) {
      return null;
    }
    long stripe = state.block();
    return isAlone && !large.isLarge(MapLayout.slotOf(unordered.readPlain(at)))
        ? single.remove(stripe, hash, at)
        : inSection.remove(section, stripe, at);
  }

  /// Gives back what an operation has left empty.
  ///
  /// @param isDone whether the operation stays whatever becomes of this
  private void release(Section section, boolean isAlone, boolean isDone) {
    if (!state.supply.hasEmptied()) {
      return;
    }
    try {
      inSection.release(section, isAlone);
    } catch (RegionFullException e) {
      if (!isDone) {
        throw e; // it may have been rolled back with the operation
      }
    }
  }

  /// @throws io.holdfast.core.RegionDamagedException if its block can't be followed
  void check() {
    long stripe = state.block();
    if (stripe != 0) {
      parts.blocks().check(stripe);
    }
  }

  /// Completes or drops what the last process left behind (MAP-5).
  void open() {
    state.underWay = true;
    quietly(section -> null);
  }

  // For what is held back

  /// Locks the stripe without a section.
  Part hold() {
    lock.hold();
    try {
      beUsable();
    } catch (RuntimeException | Error e) {
      lock.unlock();
      throw e;
    }
    return this;
  }

  @Override
  public void letGo() {
    lock.letGo(this::admitReaders);
    sections.changed();
  }

  @Override
  public void letGoOpenly() {
    lock.letGoOpenly(this::admitReaders);
    sections.changed();
  }

  // In a batch

  /// In the order in which locks are taken.
  @Override
  public int compareTo(BatchedStripe other) {
    return Long.compare(state.anchor, other.state().anchor);
  }

  @Override
  public Section beginBatch() {
    Section section = lock.lock();
    try {
      beUsable();
    } catch (RuntimeException | Error e) {
      endSection(section);
      throw e;
    }
    return section;
  }

  @Override
  public void joinBatch() {
    lock.take();
    try {
      SectionHooks.observed(key);
      beUsable();
    } catch (RuntimeException | Error e) {
      lock.unlock();
      throw e;
    }
  }

  @Override
  public void unlock() {
    letReadersInUnlessHeld();
    lock.unlock();
  }

  /// Unless the thread has another hold of the lock: it goes on to the section's end.
  private void letReadersInUnlessHeld() {
    try {
      if (lock.waiting().getHoldCount() == 1) {
        admitReaders();
      }
    } catch (Throwable e) {
      lock.unlock();
      throw e;
    }
  }

  private void admitReaders() {
    try {
      if (!state.underWay && !parts.deletion().isDeleted()) {
        state.letReadersIn();
      }
    } catch (StoreClosedException e) {
      // Readers stay out; a thread that gets the lock is told. Others may be waiting for it.
      // Test: MapClosingTest.
    }
  }

  @Override
  public BatchWriter inBatch() {
    return batch;
  }

  @Override
  public boolean makeRoom(Batches.Put put) {
    return quietly(section -> inSection.makeRoom(section, put)); // the batch follows
  }

  @Override
  public StripeState state() {
    return state;
  }

  /// Publishes an entry of a batch that the last process died in publishing, if it had not.
  void publishAgain(long hash, long slot, long version) {
    locked(
        section -> {
          batch.publishAgain(hash, slot, version);
          return null;
        });
  }

  // As a whole

  /// Leaves the stripe without anything; under its lock, in a section.
  void clear(Section section, StripeGarbage garbage) {
    inSection.clear(section, garbage);
  }

  /// Readers wait from here on: the map is gone, or will be.
  void holdReaders() {
    state.seqlock.hold();
  }

  /// The map is there again.
  void letReadersIn() {
    state.seqlock.release();
  }

  /// Makes all but the slots anew.
  ///
  /// @return what must be finished when all stripes have come so far, or `null` for none
  StripeRebuild rebuild() {
    return locked(
        section -> {
          long stripe = state.block();
          if (stripe == 0) {
            return null;
          }
          state.hold(section);
          state.supply.forget();
          StripeRebuild rebuild = new StripeRebuild(parts, stripe);
          rebuild.run(section);
          return rebuild;
        });
  }

  void finish(StripeRebuild rebuild, Set<Long> wholeBatches) {
    locked(
        section -> {
          rebuild.finish(section, wholeBatches);
          return null;
        });
  }

  /// The entries of the segment that some top bits of the hash belong to.
  ///
  /// @param bytesMax after so many bytes of values the others are `null`
  /// @return the first top bits of the next segment, 0 if there is none
  long walk(long from, List<EncodedEntry> into, long bytesMax) {
    return locked(
        section -> {
          long stripe = state.block();
          return stripe == 0 ? 0L : index.walk(stripe, from, into, bytesMax);
        });
  }

  long validate() {
    return locked(
        section -> {
          long stripe = state.block();
          return stripe == 0 ? 0L : new StripeValidator(parts, stripe).run();
        });
  }

  /// As {@link #validate}, for an inspector.
  ///
  /// @return how many entries there are; 0 if there is a fault
  long inspect(Inspector inspector, Trail map, String name) {
    return locked(
        section -> {
          long stripe = state.block();
          if (stripe == 0) {
            return 0L;
          }
          try {
            parts.blocks().forEach(stripe, block -> reach(inspector, block));
            return new StripeValidator(parts, stripe).run();
          } catch (RegionDamagedException e) {
            inspector.fault(map.to(name, stripe), e);
            return 0L;
          }
        });
  }

  private void reach(Inspector inspector, long block) {
    if (!inspector.reach(block)) {
      throw parts.blocks().damaged("a block that is reached twice", block, block);
    }
  }

  void forEachBlock(LongConsumer visitor) {
    visit(stripe -> parts.blocks().forEach(stripe, visitor));
  }

  void forEachSegment(StripeIndex.SegmentVisitor visitor) {
    visit(stripe -> index.forEachSegment(stripe, visitor));
  }

  void forEachSlot(StripeBlocks.SlotVisitor visitor) {
    visit(stripe -> parts.blocks().forEachSlot(stripe, visitor));
  }

  /// Calls a visitor with the stripe's block, if there is one.
  void visit(LongConsumer visitor) {
    locked(
        section -> {
          long stripe = state.block();
          if (stripe != 0) {
            visitor.accept(stripe);
          }
          return null;
        });
  }
}
