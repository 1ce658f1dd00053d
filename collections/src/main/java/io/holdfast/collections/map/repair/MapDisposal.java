package io.holdfast.collections.map.repair;

import io.holdfast.collections.map.slot.MapLayout;
import io.holdfast.collections.map.slot.MapRoot;
import io.holdfast.collections.map.slot.Slots;
import io.holdfast.collections.map.write.MapParts;
import io.holdfast.collections.map.write.StripeGarbage;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.Section;

/// Frees the blocks of a map that was deleted, a few at a time: as if it were cleared, and then the
/// root itself.
///
/// It goes by words alone that sections store, so what a crash cut off outside of sections, and a
/// loss of power, need not be put right before: a map that nobody finds is not opened to be freed.
///
/// **DISPOSAL-2** A stripe is moved from its place in the root to the list of garbage in the
/// section that makes it garbage, and freed from there as `StripeGarbage` does (MAP-7). Test:
/// MapDisposalCrashTest.root4NothingLeaks.
public final class MapDisposal {
  /// Changes that moving a stripe takes.
  private static final int MOVE = 4;

  private final Region region;
  private final Memory memory;
  private final long root;
  private final StripeGarbage garbage;

  public MapDisposal(Region region, long root) {
    this.region = region;
    this.memory = region.memory();
    this.root = MapRoot.check(region, root);
    MapParts parts = MapParts.of(region, null, null, new Slots(memory.unordered(), root));
    this.garbage = new StripeGarbage(parts, root + MapLayout.ROOT_GARBAGE);
  }

  /// @param most changes to log, at least 8
  /// @return whether the last block was freed, and the root with it
  public boolean freeSome(int most) {
    Section section = region.sections().current();
    int left = most;
    long behind = root + MapLayout.ROOT_STRIPES + (Long.BYTES << MapRoot.shape(memory, root));
    for (long anchor = root + MapLayout.ROOT_STRIPES; anchor < behind; anchor += Long.BYTES) {
      long stripe = memory.readPlain(anchor);
      if (stripe != 0) {
        if (left < MOVE) {
          return false;
        }
        garbage.add(section, stripe); // DISPOSAL-2
        section.write(anchor, 0);
        left -= MOVE;
      }
    }
    if (!garbage.isEmpty()) {
      if (left >= StripeGarbage.CHANGES_MIN) {
        garbage.freeSome(section, left);
      }
      return false;
    }
    region.heap().free(root);
    return true;
  }
}
