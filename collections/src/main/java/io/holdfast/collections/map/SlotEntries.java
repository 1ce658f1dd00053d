package io.holdfast.collections.map;

import io.holdfast.codec.Encoded;
import io.holdfast.codec.EncodedEntry;
import io.holdfast.collections.map.repair.StripeRebuild;
import io.holdfast.collections.map.repair.StripeValidator;
import io.holdfast.collections.map.slot.MapLayout;
import io.holdfast.collections.map.write.BatchWriter;
import io.holdfast.collections.map.write.Batches;
import io.holdfast.collections.map.write.LargeEntries;
import io.holdfast.collections.map.write.MapParts;
import io.holdfast.collections.map.write.SectionWriter;
import io.holdfast.collections.map.write.SingleTripWriter;
import io.holdfast.collections.map.write.StripeState;
import io.holdfast.collections.map.write.UpdateWriter;
import io.holdfast.core.RegionFullException;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.section.Section;
import java.util.List;

/// Entries of any length, in slots that an index leads to.
///
/// A put is done by the first that can: {@link UpdateWriter}, where the value is; {@link
/// SingleTripWriter}, outside of sections; {@link SectionWriter}, which also lets the stripe grow.
final class SlotEntries implements StripeEntries {
  private final MapParts parts;
  private final Memory unordered;
  private final StripeState state;
  private final LargeEntries large;
  private final UpdateWriter updates;
  private final SingleTripWriter single;
  private final SectionWriter inSection;
  private final BatchWriter batch;

  SlotEntries(MapParts parts, StripeState state) {
    this.parts = parts;
    this.unordered = parts.unordered();
    this.state = state;
    this.large = new LargeEntries(parts);
    this.updates = UpdateWriter.of(parts, state);
    this.single = new SingleTripWriter(parts, state);
    this.inSection = new SectionWriter(parts, state, large);
    this.batch = new BatchWriter(parts, state, single);
  }

  @Override
  public StripeReader reader(Object key) {
    return new SlotReader(parts, state, key);
  }

  @Override
  public Encoded get(long hash, Encoded key) {
    long at = place(hash, key);
    return at == 0 ? null : parts.slots().value(MapLayout.slotOf(unordered.readPlain(at)));
  }

  /// Where the index word of a key is, 0 if it has none.
  private long place(long hash, Encoded key) {
    long stripe = state.block();
    long at = stripe == 0 ? 0 : parts.index().place(stripe, hash, key);
    return at == 0 || unordered.readPlain(at) == 0 ? 0 : at;
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // an empty value is another object
  public Encoded put(Section section, long hash, Encoded key, Encoded value, boolean isAlone) {
    Encoded before = updates.put(section, hash, key, value, isAlone);
    if (before == StripeState.NOT_STORED && isAlone) {
      before = single.put(hash, key, value);
    }
    if (before == StripeState.NOT_STORED) {
      before = inSection.put(section, hash, key, value);
    }
    return before;
  }

  @Override
  public Encoded remove(Section section, long hash, Encoded key, boolean isAlone) {
    long at = place(hash, key);
    if (at == 0) {
      return null;
    }
    long stripe = state.block();
    return isAlone && !large.isLarge(MapLayout.slotOf(unordered.readPlain(at)))
        ? single.remove(stripe, hash, at)
        : inSection.remove(section, stripe, at);
  }

  @Override
  public void release(Section section, boolean isAlone, boolean isDone) {
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

  @Override
  public void settle(long stripe) {
    single.settle(stripe);
  }

  @Override
  public StripeRebuild rebuild(Section section, long stripe) {
    state.hold(section);
    state.supply.forget();
    state.overwritten.settle(stripe);
    StripeRebuild rebuild = new StripeRebuild(parts, stripe);
    rebuild.run(section);
    return rebuild;
  }

  @Override
  public BatchWriter batch() {
    return batch;
  }

  @Override
  public boolean makeRoom(Section section, Batches.Put put) {
    return inSection.makeRoom(section, put);
  }

  @Override
  public long walk(long stripe, long from, List<EncodedEntry> into, long bytesMax) {
    return parts.index().walk(stripe, from, into, bytesMax);
  }

  @Override
  public long validate(long stripe) {
    return new StripeValidator(parts, stripe).run();
  }
}
