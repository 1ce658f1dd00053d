package io.holdfast.collections.map.slot;

import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.region.Region;
import java.security.SecureRandom;

/// The block that a map begins with: how many stripes it has, and where each is.
public final class MapRoot {
  /// So many that two threads seldom meet, and a stripe's parts are still small.
  private static final int STRIPES_SHIFT = 6;

  private static final int STRIPES_SHIFT_MAX = 8;

  /// Whether a block can be a map's root.
  ///
  /// @return the same
  /// @throws RegionDamagedException if not
  public static long check(Region region, long root) {
    region.heap().checkBlock(root, MapLayout.ROOT_STRIPES, "a map's root");
    return region.heap().checkBlock(root, bytes(shape(region.memory(), root)), "a map's root");
  }

  /// Binary logarithm of the number of stripes.
  public static int shape(Memory memory, long root) {
    long shape = memory.readPlain(root + MapLayout.ROOT_SHAPE);
    if (shape < 0 || shape > STRIPES_SHIFT_MAX) {
      throw new RegionDamagedException(
          "%s: the region is damaged: a map's stripes: found=2^%d, max=2^%d, root offset=0x%X. Restore it from a backup"
              .formatted(memory.name(), shape, STRIPES_SHIFT_MAX, root));
    }
    return (int) shape;
  }

  /// Makes an empty map in the calling thread's section.
  ///
  /// @return its root block
  public static long create(Region region) {
    SecureRandom random = new SecureRandom();
    return create(region, STRIPES_SHIFT, random.nextLong(), random.nextLong());
  }

  public static long create(Region region, int shape, long secret0, long secret1) {
    long bytes = bytes(shape);
    long root = region.heap().allocate(bytes);
    Memory memory = region.memory();
    memory.zeroPlain(root, bytes);
    memory.writePlain(root + MapLayout.ROOT_SHAPE, shape);
    memory.writePlain(root + MapLayout.ROOT_SECRET, secret0);
    memory.writePlain(root + MapLayout.ROOT_SECRET + Long.BYTES, secret1);
    return root;
  }

  /// After the stripes comes the list of a batch's slots, and their number before it.
  private static long bytes(int shape) {
    long stripes = (long) Long.BYTES << shape;
    return MapLayout.ROOT_STRIPES + stripes + (1 + MapLayout.BATCH_MAX) * Long.BYTES;
  }

  private MapRoot() {}
}
