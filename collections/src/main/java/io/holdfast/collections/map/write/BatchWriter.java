package io.holdfast.collections.map.write;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.map.slot.MapLayout;
import io.holdfast.collections.map.slot.SlotClass;
import io.holdfast.core.memory.Memory;
import java.util.Map;

/// A stripe's part in a batch ({@link Batches}), whose caller holds the locks of all its stripes.
public final class BatchWriter {
  private final MapParts parts;
  private final Memory memory;
  private final StripeState state;
  private final SingleTripWriter single;

  public BatchWriter(MapParts parts, StripeState state, SingleTripWriter single) {
    this.parts = parts;
    this.memory = parts.unordered();
    this.state = state;
    this.single = single;
  }

  /// Finds a slot for an entry after those that the batch has taken before.
  ///
  /// @param news how many keys the batch adds, by bucket
  /// @param cursors HEAD and BUMP as they will be, by class
  /// @return what it lacks
  Batches.Lack plan(Batches.Put put, Map<Long, Integer> news, Map<Long, long[]> cursors) {
    long stripe = state.block();
    int sizeClass = parts.slots().classHolding(put.payload());
    if (sizeClass == MapLayout.LARGE_CLASS || parts.claims().isClaimed(put.key)) {
      return Batches.Lack.SECTION;
    }
    if (stripe == 0) {
      return Batches.Lack.STRIPE;
    }
    long at = parts.index().place(stripe, put.hash, put.key);
    long word = at == 0 ? 0 : memory.readPlain(at);
    if (word == 0 && (at == 0 || !parts.index().hasRoom(stripe, put.hash, news))) {
      return Batches.Lack.PLACE;
    }
    if (word != 0 && parts.slots().isLarge(parts.slots().lengths(MapLayout.slotOf(word)))) {
      return Batches.Lack.SECTION;
    }
    long itsClass = MapLayout.classAt(stripe, sizeClass);
    long[] cursor =
        cursors.computeIfAbsent(
            itsClass,
            c ->
                new long[] {
                  memory.readPlain(c + MapLayout.CLASS_HEAD),
                  memory.readPlain(c + MapLayout.CLASS_BUMP)
                });
    put.slot = state.supply.take(stripe, sizeClass, cursor, state.change);
    put.place = state.change.place;
    put.next = state.change.next;
    return put.slot == 0 ? Batches.Lack.SLOT : Batches.Lack.NOTHING;
  }

  void store(Batches.Put put, long version, int count) {
    state.seqlock.underWay = true;
    long polarity = MapLayout.polarity(memory.readPlain(put.slot)) ^ 1;
    parts
        .slots()
        .store(put.slot, put.place, put.key, put.value, MapLayout.meta(version, count, polarity));
  }

  void publish(Batches.Put put, long batch) {
    single.publish(put.hash, put.key, put.slot, put.next, batch);
    state.seqlock.underWay = false;
  }

  /// Publishes an entry that the last process died in publishing, if it had not.
  ///
  /// @param nextFree the next free slot
  public void publishAgain(long hash, long slot, long nextFree, long batch) {
    long stripe = state.block();
    Encoded its = parts.slots().key(slot);
    long at = stripe == 0 ? 0 : parts.index().place(stripe, hash, its);
    if (at == 0) {
      throw parts.blocks().damaged("a batch's entry that the index has no place for", slot, stripe);
    }
    if (memory.readPlain(at) != MapLayout.indexWord(hash, slot)) {
      int sizeClass = MapLayout.classOf(parts.slots().place(slot));
      long itsClass = MapLayout.classAt(stripe, sizeClass);
      long bump = memory.readPlain(itsClass + MapLayout.CLASS_BUMP);
      boolean isUnused = MapLayout.bumpLeft(bump) > 0 && MapLayout.bumpSlot(bump) == slot;
      long next =
          isUnused
              ? MapLayout.bump(slot + SlotClass.bytes(sizeClass), MapLayout.bumpLeft(bump) - 1) << 1
                  | 1
              : nextFree;
      single.publish(hash, its, slot, next, batch);
    }
    // Also if it was published: the batch's other slots may have been counted before they were.
    state.supply.count(state.supply.chunkOf(slot));
  }
}
