package io.holdfast.recovery;

import io.holdfast.collections.inspect.Inspector;
import io.holdfast.collections.inspect.Trail;
import io.holdfast.collections.kind.CollectionKind;
import io.holdfast.collections.kind.KeyCodecs;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.heap.HeapValidator;
import io.holdfast.core.heap.HeapValidator.Spot;
import io.holdfast.core.heap.Root;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.region.Region;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// Which collections some offsets of a region belong to: finds the blocks that they are in, and
/// walks the roots until all of those are found. So it takes as long as a walk over all blocks, and
/// memory for those that are asked for.
///
/// Confined to a thread.
public final class BlockOwners {
  private static final String DIRECTORY = "(roots)";
  private static final String ALLOCATOR = "(allocator)";

  /// A block that no root leads to once the region is recovered: its section is undone too.
  private static final String NEW = "(new)";

  /// Ends the walk over a root when nothing is left to be found.
  private static final class Found extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Found() {
      super(null, null, false, false);
    }
  }

  private final Region region;
  private final HeapValidator heap;
  private final Map<Long, String> owners = new HashMap<>();

  private BlockOwners(Region region) {
    this.region = region;
    this.heap = region.heap().validator();
  }

  /// Finds owners.
  ///
  /// @param region recovered, or closed
  /// @param offsets in any order
  @SuppressWarnings("exports") // Region is for Holdfast's own modules
  public static BlockOwners of(Region region, Set<Long> offsets) {
    BlockOwners found = new BlockOwners(region);
    Set<Long> wanted = new HashSet<>();
    for (long offset : offsets) {
      if (offset >= RegionLayout.SPAN_BYTES && offset < region.memory().length()) {
        Spot spot = found.heap.spotOf(offset);
        if (spot.what().equals("block")) {
          wanted.add(spot.offset());
        }
      }
    }
    found.find(wanted);
    return found;
  }

  private void find(Set<Long> wanted) {
    region.roots().forEachBlock(block -> take(wanted, block, DIRECTORY));
    for (Root root : region.roots().all()) {
      if (wanted.isEmpty()) {
        return;
      }
      take(wanted, root.firstBlock(), root.name());
      try {
        walk(root, inspector(wanted, root.name()));
      } catch (Found e) {
        return;
      } catch (RegionDamagedException e) {
        // Blocks after the damage have no owner here; verify reports it.
        continue;
      }
    }
  }

  private void take(Set<Long> wanted, long block, String owner) {
    if (wanted.remove(block)) {
      owners.put(block, owner);
    }
  }

  private Inspector inspector(Set<Long> wanted, String owner) {
    return new Inspector() {
      @Override
      public boolean reach(long block) {
        take(wanted, block, owner);
        if (wanted.isEmpty()) {
          throw new Found();
        }
        return true;
      }

      @Override
      public void fault(Trail trail, RegionDamagedException fault) {
        // The walk goes on beside it.
      }

      @Override
      public void run(Runnable part) {
        part.run();
      }
    };
  }

  private void walk(Root root, Inspector inspector) {
    Trail trail = new Trail(null, root.name(), root.firstBlock());
    CollectionKind.of(root.kind())
        .ifPresent(kind -> kind.open(region, root, new KeyCodecs(null)).run(inspector, trail));
  }

  /// Whose an offset is: a root's name, or in brackets a part of the region, or `(new)` for a block
  /// that recovery will have made free.
  public String ownerOf(long offset) {
    if (offset < RegionLayout.SPAN_BYTES) {
      return offset >= RegionLayout.FIRST_TABLE && offset < RegionLayout.FIRST_SLOTS
          ? ALLOCATOR
          : offset < RegionLayout.FIRST_SLOTS ? DIRECTORY : "(logs)";
    }
    Spot spot = heap.spotOf(offset);
    return switch (spot.what()) {
      case "block" -> owners.getOrDefault(spot.offset(), NEW);
      case "marks", "table" -> ALLOCATOR;
      default -> "(" + spot.what() + ")";
    };
  }

  /// Where in its block an offset is; 0 if it is in none.
  public long placeOf(long offset) {
    if (offset < RegionLayout.SPAN_BYTES) {
      return 0;
    }
    Spot spot = heap.spotOf(offset);
    return spot.what().equals("block") ? offset - spot.offset() : 0;
  }
}
