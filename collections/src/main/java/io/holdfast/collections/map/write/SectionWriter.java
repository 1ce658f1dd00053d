package io.holdfast.collections.map.write;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.map.slot.MapLayout;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.section.Section;

/// Changes a stripe in a section: when its thread is in one of several stores, and when the stripe
/// must grow, or itself be made.
///
/// All words are stored through the section; the slot's bytes too, because a slot that an open
/// section has freed may be the one it takes. Readers are held back meanwhile, so that they wait
/// for the lock, after which they find the uncommitted release.
///
/// Guarded by the stripe's lock.
public final class SectionWriter {
  /// Words that an operation stores, next to what growing takes.
  private static final int STORES_MAX = 20;

  private static final int BEHIND_META = MapLayout.META + Long.BYTES;

  private final Memory unordered;
  private final MapParts parts;
  private final StripeState state;
  private final LargeEntries large;

  public SectionWriter(MapParts parts, StripeState state, LargeEntries large) {
    this.unordered = parts.unordered();
    this.parts = parts;
    this.state = state;
    this.large = large;
  }

  /// Stores an entry.
  ///
  /// @return the value before, or `null`
  public Encoded put(Section section, long hash, Encoded key, Encoded value) {
    state.hold(section);
    if (state.block() == 0) {
      create(section);
    }
    long stripe = state.block();
    long at = parts.index().place(stripe, hash, key);
    while (at == 0) {
      parts.index().split(section, stripe, hash);
      at = parts.index().place(stripe, hash, key);
    }
    long version = state.version(stripe) + 1;
    long slot =
        large.isLarge(key, value)
            ? large.add(section, stripe, key, value, MapLayout.meta(version, 1, 0))
            : store(section, stripe, key, value, version);
    section.reserve(STORES_MAX);
    state.change.entry = MapLayout.indexWord(hash, slot);
    return publish(section, stripe, at, version);
  }

  private long store(Section section, long stripe, Encoded key, Encoded value, long version) {
    int sizeClass = parts.slots().classHolding((long) key.length() + value.length());
    long slot = state.supply.take(stripe, sizeClass, state.change);
    if (slot == 0) {
      state.supply.addChunk(section, stripe, sizeClass);
      slot = state.supply.take(stripe, sizeClass, state.change);
    }
    long polarity = MapLayout.polarity(unordered.readPlain(slot)) ^ 1;
    byte[] image = parts.slots().image(slot, state.change.place, key, value, polarity);
    section.copy(slot + BEHIND_META, image, BEHIND_META, image.length - BEHIND_META);
    section.reserve(STORES_MAX);
    section.write(slot, MapLayout.meta(version, 1, polarity));
    return slot;
  }

  /// Removes the entry of an index word.
  ///
  /// @return its value
  public Encoded remove(Section section, long stripe, long at) {
    state.hold(section);
    section.reserve(STORES_MAX);
    state.change.entry = 0;
    state.change.next = 0;
    return publish(section, stripe, at, state.version(stripe) + 1);
  }

  private Encoded publish(Section section, long stripe, long at, long version) {
    Change change = state.change;
    long word = unordered.readPlain(at);
    long count = state.count(stripe, version - 1) + (change.entry == 0 ? 0 : 1);
    Encoded before = null;
    change.word = at;
    change.old = 0;
    if (word != 0) {
      count--;
      long old = MapLayout.slotOf(word);
      before = parts.slots().value(old);
      if (large.isLarge(old)) {
        large.remove(section, stripe, old);
      } else {
        state.supply.free(stripe, old, change);
        parts.batches().closeBefore(unordered.readPlain(old));
      }
    }
    state.supply.freed(change.apply(unordered, stripe, section::write));
    section.write(MapLayout.countAt(stripe, version), count);
    section.write(stripe + MapLayout.STATE, version << 1);
    return before;
  }

  /// Makes what an entry of a batch lacks.
  ///
  /// @return `false` if that can't be made ahead
  public boolean makeRoom(Section section, Batches.Put put) {
    long stripe = state.block();
    if (put.lack == Batches.Lack.SECTION) {
      return false;
    }
    state.hold(section);
    if (stripe == 0) {
      create(section);
    } else if (put.lack == Batches.Lack.PLACE) {
      parts.index().split(section, stripe, put.hash);
    } else if (put.lack == Batches.Lack.SLOT) {
      state.supply.addChunk(section, stripe, parts.slots().classHolding(put.payload()));
    }
    return true;
  }

  private void create(Section section) {
    section.write(state.anchor, parts.blocks().create(section));
  }

  /// Gives chunks back that nobody needs (MAP-10).
  ///
  /// @param isAlone whether the section does nothing else
  public void release(Section section, boolean isAlone) {
    long stripe = state.block();
    long chunk = state.supply.findNeedless(stripe);
    if (chunk != 0 && (isAlone || state.supply.canReserve(chunk))) {
      state.hold(section);
      state.supply.release(section, stripe, chunk);
    } else if (chunk != 0) {
      state.supply.freed(chunk); // for the next operation that is alone
    }
  }
}
