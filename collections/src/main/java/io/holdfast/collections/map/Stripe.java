package io.holdfast.collections.map;

import io.holdfast.codec.Encoded;
import io.holdfast.codec.EncodedEntry;
import io.holdfast.collections.inspect.Inspector;
import io.holdfast.collections.inspect.Trail;
import io.holdfast.collections.map.index.SegmentIndex;
import io.holdfast.collections.map.index.StripeBlocks;
import io.holdfast.collections.map.repair.StripeRebuild;
import io.holdfast.collections.map.word.WordIndex;
import io.holdfast.collections.map.write.BatchWriter;
import io.holdfast.collections.map.write.BatchedStripe;
import io.holdfast.collections.map.write.Batches;
import io.holdfast.collections.map.write.MapParts;
import io.holdfast.collections.map.write.StripeGarbage;
import io.holdfast.collections.map.write.StripeState;
import io.holdfast.collections.overlay.Claims;
import io.holdfast.collections.overlay.Part;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.StoreClosedException;
import io.holdfast.core.section.Section;
import io.holdfast.core.section.SectionLock;
import io.holdfast.core.section.Sections;
import io.holdfast.core.section.hooks.SectionHooks;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/// A part of a map: a lock, and the entries that it guards.
///
/// What an operation does under the lock is {@link StripeEntries}' to say.
///
/// Thread-safe: writers hold the lock, readers take none (MAP-6).
final class Stripe implements BatchedStripe, Part {
  private final MapParts parts;
  private final Sections sections;
  private final StripeState state;
  private final StripeEntries entries;
  private final StripeReader reader;

  /// Stands for the stripe in dependencies.
  private final Object key = new Object();

  private final SectionLock lock;

  private final Claims claims;

  /// @param anchor the root's word that has the stripe's block
  /// @param words the index, if it has the entries; else `null`
  Stripe(MapParts parts, long anchor, WordIndex words) {
    this.parts = parts;
    this.sections = parts.region().sections();
    this.state = new StripeState(parts, anchor);
    this.entries =
        words == null ? new SlotEntries(parts, state) : new WordEntries(parts, state, words);
    this.reader = entries.reader(key);
    this.lock = new SectionLock(sections, key, this::admitReaders);
    this.claims = parts.claims();
  }

  // Reading

  /// Looks without the lock.
  StripeReader reader() {
    return reader;
  }

  /// The value of a key, or `null`, for whom the reader can't tell.
  Encoded getLocked(long hash, Encoded sought) {
    return reading(() -> entries.get(hash, sought));
  }

  /// How many entries there are. Takes the lock only if others change them.
  long count() {
    long count = reader.count();
    return count < 0 ? reading(state::count) : count;
  }

  /// Runs something under the lock that changes nothing. It is no section: the end of one inside of
  /// a block would be a release, by which others come to depend on a block that has changed nothing
  /// here. Test: TransactionTest.whoLooksIsDependedOnByNobody.
  private <R> R reading(Supplier<R> action) {
    hold();
    try {
      return action.get();
    } finally {
      try {
        unlock();
      } catch (StackOverflowError | OutOfMemoryError | LinkageError e) {
        sections.breakOff(e); // where the very call fails, the lock is kept (LOCK-4)
      }
    }
  }

  /// How many operations there were, from any beginning, as a race tells.
  long changes() {
    long block = state.block();
    return block == 0 ? 0 : state.version(block) + state.seqlock.updates;
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

  /// Runs something under the lock, in a section, of which nobody has to be told: it reads.
  private <R> R quietly(Action<R> action) {
    Section section = lock.lock();
    R result;
    try {
      beUsable();
      result = action.run(section);
    } catch (VirtualMachineError | LinkageError e) {
      if (state.seqlock.changing) {
        section.breakOff(e);
      }
      throw e;
    } finally {
      try {
        endSection(section);
      } catch (StackOverflowError | OutOfMemoryError | LinkageError e) {
        section.cut = e;
        section.breakOff(e); // where the very call fails, the lock is kept (LOCK-4); told below
      }
    }
    sections.checkCommitted();
    return result;
  }

  /// Under the lock, before anything is looked at.
  private void beUsable() {
    sections.checkUsable();
    parts.deletion().check(); // MAP-8
    if (state.seqlock.underWay) {
      long stripe = state.block();
      if (stripe != 0) {
        entries.settle(stripe);
      }
      state.seqlock.underWay = false;
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
    } catch (VirtualMachineError | LinkageError e) {
      section.breakOff(e); // or threads that wait for the lock would wait for ever (LOCK-4)
      throw e;
    }
  }

  /// Stores an entry.
  ///
  /// @return the value before, or `null`
  Encoded put(long hash, Encoded sought, Encoded value) {
    return locked(section -> putOver(section, hash, sought, value));
  }

  private Encoded putOver(Section section, long hash, Encoded sought, Encoded value) {
    Claims.Claim claim = claims.buildOn(section, sought);
    Encoded before = put(section, hash, sought, value);
    return claim == null ? before : cover(section, claim);
  }

  /// The same of words, in a stripe of them.
  void put(WordPut put) {
    put.stripe = this;
    try {
      locked(put);
    } finally {
      put.stripe = null; // a thread keeps no store
    }
  }

  void put(Section section, WordPut put) {
    if (claims.isEmpty()) {
      entries.put(section, put, section.isAlone());
    } else {
      put.replaces(putOver(section, put.hash, Encoded.of(put.key), Encoded.of(put.value)));
    }
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
        entries.remove(section, hash, key, isAlone);
      } else {
        entries.put(section, hash, key, value, isAlone);
      }
      if (!isAlone) { // else the next operation gives back what is empty: this one is complete
        entries.release(section, false, false);
      }
    } catch (VirtualMachineError | LinkageError e) {
      if (state.seqlock.changing) {
        section.breakOff(e);
      }
      throw e;
    } finally {
      endChange();
    }
    sections.checkCommitted();
  }

  private void endChange() {
    state.seqlock.changing = false;
    if (state.seqlock.underWay) {
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
          Encoded before = claim == null ? entries.get(hash, sought) : claim.value();
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
    Encoded before = entries.put(section, hash, sought, value, isAlone);
    entries.release(section, isAlone, section.isAlone());
    return before;
  }

  private Encoded remove(Section section, long hash, Encoded sought) {
    boolean isAlone = section.isAlone();
    Encoded before = entries.remove(section, hash, sought, isAlone);
    entries.release(section, isAlone, section.isAlone());
    return before;
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
    state.seqlock.underWay = true;
    reading(() -> null);
  }

  // For what is held back

  /// Locks the stripe without a section.
  Stripe hold() {
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
    lock.letGo();
    sections.changed();
  }

  @Override
  public void letGoOpenly() {
    lock.letGoOpenly();
    sections.changed();
  }

  /// Lets readers in and unlocks, at the end of an operation that has locked several stripes
  /// (LEVEL-1).
  void giveUp() {
    endChange();
    lock.giveUp();
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

  boolean isHeldByThread() {
    return lock.waiting().isHeldByCurrentThread();
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
      if (!state.seqlock.underWay && !parts.deletion().isDeleted()) {
        state.letReadersIn();
      }
    } catch (StoreClosedException e) {
      // Readers stay out; a thread that gets the lock is told. Others may be waiting for it.
      // Test: MapClosingTest.
    }
  }

  @Override
  public BatchWriter inBatch() {
    return entries.batch();
  }

  @Override
  public boolean makeRoom(Batches.Put put) {
    return quietly(section -> entries.makeRoom(section, put)); // the batch follows
  }

  @Override
  public StripeState state() {
    return state;
  }

  /// Publishes an entry of a batch that the last process died in publishing, if it had not.
  void publishAgain(long hash, long slot, long next, long version) {
    locked(
        section -> {
          entries.batch().publishAgain(hash, slot, next, version);
          return null;
        });
  }

  // As a whole

  /// Leaves the stripe without anything; under its lock, in a section.
  void clear(Section section, StripeGarbage garbage) {
    long stripe = state.block();
    if (stripe != 0) {
      state.hold(section);
      state.supply.forget();
      garbage.add(section, stripe);
      section.write(state.anchor, 0);
    }
  }

  /// Readers wait from here on: the map is gone, or will be.
  void holdReaders() {
    state.seqlock.hold();
  }

  /// The map is there again.
  void letReadersIn() {
    state.seqlock.release();
  }

  /// Makes anew what a loss of power has taken.
  ///
  /// @return what must be finished when all stripes have come so far, or `null` for none
  StripeRebuild rebuild() {
    return locked(
        section -> {
          long stripe = state.block();
          if (stripe == 0) {
            return null;
          }
          return entries.rebuild(section, stripe);
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
    return reading(
        () -> {
          long stripe = state.block();
          return stripe == 0 ? 0L : entries.walk(stripe, from, into, bytesMax);
        });
  }

  long validate() {
    return reading(
        () -> {
          long stripe = state.block();
          return stripe == 0 ? 0L : entries.validate(stripe);
        });
  }

  /// As {@link #validate}, for an inspector.
  ///
  /// @return how many entries there are; 0 if there is a fault
  long inspect(Inspector inspector, Trail map, String name) {
    return reading(
        () -> {
          long stripe = state.block();
          if (stripe == 0) {
            return 0L;
          }
          try {
            parts.blocks().forEach(stripe, block -> reach(inspector, block));
            return entries.validate(stripe);
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

  void forEachSegment(SegmentIndex.SegmentVisitor visitor) {
    visit(stripe -> parts.index().forEachSegment(stripe, visitor));
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
