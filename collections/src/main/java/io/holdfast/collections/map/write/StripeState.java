package io.holdfast.collections.map.write;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.map.index.StripeSeqlock;
import io.holdfast.collections.map.slot.MapLayout;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.section.Section;
import io.holdfast.core.section.VolatileState;

/// What a stripe keeps in memory, for the parts of it. Guarded by its lock, but for the seqlock,
/// which readers look at.
public final class StripeState implements VolatileState {
  /// Stands for a value before that was not looked at: a writer can't store the entry, and nothing
  /// has changed.
  public static final Encoded NOT_STORED = Encoded.of(new byte[0]);

  /// The root's word that has the stripe's block.
  public final long anchor;

  public final StripeSeqlock seqlock = new StripeSeqlock();
  final Change change;
  public final SlotSupply supply;
  public final OverwrittenBytes overwritten;
  final FreedSlots freedSlots;

  private final Memory memory;

  public StripeState(MapParts parts, long anchor) {
    this.memory = parts.unordered();
    this.anchor = anchor;
    this.change = new Change(parts.slots());
    this.supply = new SlotSupply(parts);
    this.overwritten = new OverwrittenBytes(parts);
    this.freedSlots = new FreedSlots(memory, parts.slots(), !parts.memory().equals(memory));
  }

  /// Lets readers in; under the lock.
  public void letReadersIn() {
    if (seqlock.directory() == 0) {
      long stripe = block();
      seqlock.lead(
          stripe == 0 ? StripeSeqlock.NONE : memory.readPlain(stripe + MapLayout.DIRECTORY));
    }
    seqlock.release();
  }

  /// The stripe's block, 0 if it has none yet.
  public long block() {
    return memory.readPlain(anchor);
  }

  /// The version of the last operation of a stripe that is there.
  public long version() {
    return version(block());
  }

  /// The version of the last operation, by the stripe's block.
  public long version(long block) {
    return memory.readPlain(block + MapLayout.STATE) >>> 1;
  }

  /// Entries after the operation of a version.
  public long count(long block, long version) {
    return memory.readPlain(MapLayout.countAt(block, version));
  }

  /// How many entries there are.
  public long count() {
    long block = block();
    return block == 0 ? 0 : count(block, version(block));
  }

  /// From here to the end of the section, which may be rolled back, readers wait.
  public void hold(Section section) {
    seqlock.changing = true;
    section.enlist(this);
    seqlock.hold();
    seqlock.lead(0);
    freedSlots.flushAll();
  }

  /// MAP-9. What the section used of versions is used again; no chunk that it made is there.
  @Override
  public void restore() {
    supply.forget();
    seqlock.lead(0);
    seqlock.change();
  }
}
