package io.holdfast.core.heap;

import java.util.Arrays;

/// The blocks that a thread's section has allocated and freed, in order, and found by offset: its
/// net effect on the heap, as far as it is not stored yet.
///
/// Not thread-safe.
final class BlockChanges {
  static final byte ALLOCATED = 1, FREED = 2;

  /// Allocated, freed again, and an entry of the log speaks of it.
  static final byte CANCELLED = 3;

  /// Up to this many are looked through; beyond, a hash table finds them.
  private static final int FEW = 8;

  /// Room for more is not kept for the next section.
  private static final int CHANGES_KEPT = 1 << 10;

  private long[] blocks = new long[FEW];

  /// By change, the block's slab; `null` for spans.
  private Slab[] slabs = new Slab[FEW];

  /// By change, the index of the block in its slab, or the number of its spans.
  private int[] indexes = new int[FEW];

  private byte[] states = new byte[FEW];
  private int count;

  /// Places of changes, plus 1, if there are more than a few; a power of two, at most half of them
  /// taken.
  private int[] places = {};

  int count() {
    return count;
  }

  long block(int change) {
    return blocks[change];
  }

  Slab slab(int change) {
    return slabs[change];
  }

  int index(int change) {
    return indexes[change];
  }

  byte state(int change) {
    return states[change];
  }

  void setState(int change, byte state) {
    states[change] = state;
  }

  void add(long block, Slab slab, int index, byte state) {
    if (count == blocks.length) {
      grow();
    }
    blocks[count] = block;
    slabs[count] = slab;
    indexes[count] = index;
    states[count] = state;
    count++;
    if (count > FEW) {
      index(block);
    }
  }

  private void grow() {
    int length = 2 * count;
    blocks = Arrays.copyOf(blocks, length);
    slabs = Arrays.copyOf(slabs, length);
    indexes = Arrays.copyOf(indexes, length);
    states = Arrays.copyOf(states, length);
  }

  private void index(long added) {
    if (places.length < 2 * blocks.length) {
      places = new int[2 * blocks.length];
      indexAll();
    } else if (count == FEW + 1) {
      indexAll();
    } else {
      places[placeOf(added)] = count;
    }
  }

  private void indexAll() {
    for (int i = 0; i < count; i++) {
      places[placeOf(blocks[i])] = i + 1;
    }
  }

  private int placeOf(long block) {
    int mask = places.length - 1;
    int place = (int) ((block >>> 4) * 0x9E3779B97F4A7C15L >>> 32) & mask;
    while (places[place] != 0 && blocks[places[place] - 1] != block) {
      place = place + 1 & mask;
    }
    return place;
  }

  /// @return the change that concerns a block, -1 if none does
  int find(long block) {
    if (count > FEW) {
      return places[placeOf(block)] - 1;
    }
    for (int i = count - 1; i >= 0; i--) {
      if (blocks[i] == block) {
        return i;
      }
    }
    return -1;
  }

  /// Forgets a change; the last one takes its place.
  void remove(int change) {
    forgetPlaces();
    count--;
    blocks[change] = blocks[count];
    slabs[change] = slabs[count];
    indexes[change] = indexes[count];
    states[change] = states[count];
    if (count > FEW) {
      indexAll();
    }
  }

  private void forgetPlaces() {
    if (count > FEW) {
      Arrays.fill(places, 0);
    }
  }

  /// What `slabs` still refers to lives as long as the region, or nearly so.
  void clear() {
    if (blocks.length > CHANGES_KEPT) {
      blocks = new long[FEW];
      slabs = new Slab[FEW];
      indexes = new int[FEW];
      states = new byte[FEW];
      places = new int[0];
    } else {
      forgetPlaces();
    }
    count = 0;
  }
}
