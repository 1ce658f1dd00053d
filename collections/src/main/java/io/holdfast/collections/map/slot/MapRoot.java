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

  /// In SHAPE, above the stripes.
  private static final long OF_WORDS = 1 << 8, DENSE = 1 << 9;

  /// Whether a block can be a map's root.
  ///
  /// @return the same
  /// @throws RegionDamagedException if not
  public static long check(Region region, long root) {
    region.heap().checkBlock(root, MapLayout.ROOT_STRIPES, "a map's root");
    Memory memory = region.memory();
    long bytes = bytes(shape(memory, root), slots(memory, root));
    return region.heap().checkBlock(root, bytes, "a map's root");
  }

  /// Binary logarithm of the number of stripes.
  public static int shape(Memory memory, long root) {
    long shape = memory.readPlain(root + MapLayout.ROOT_SHAPE) & ~(OF_WORDS | DENSE);
    if (shape < 0 || shape > STRIPES_SHIFT_MAX) {
      throw new RegionDamagedException(
          "%s: the region is damaged: a map's stripes: found=2^%d, max=2^%d, root offset=0x%X. Restore it from a backup"
              .formatted(memory.name(), shape, STRIPES_SHIFT_MAX, root));
    }
    return (int) shape;
  }

  /// Whether the entries are words, and in the index.
  public static boolean isOfWords(Memory memory, long root) {
    return (memory.readPlain(root + MapLayout.ROOT_SHAPE) & OF_WORDS) != 0;
  }

  /// What slots look like.
  static SlotForm slots(Memory memory, long root) {
    return (memory.readPlain(root + MapLayout.ROOT_SHAPE) & DENSE) != 0
        ? SlotForm.DENSE
        : SlotForm.WIDE;
  }

  /// Makes an empty map in the calling thread's section.
  ///
  /// @param ofWords whether all keys and values are of eight bytes
  /// @return its root block
  public static long create(Region region, boolean ofWords) {
    SecureRandom random = new SecureRandom();
    return create(region, STRIPES_SHIFT, ofWords, random.nextLong(), random.nextLong());
  }

  public static long create(Region region, int shape, boolean ofWords, long secret0, long secret1) {
    return create(region, shape, ofWords ? OF_WORDS : DENSE, secret0, secret1);
  }

  /// Makes an empty map as versions did that knew neither entries of words nor dense slots.
  public static long createAsBefore(Region region, int shape, long secret0, long secret1) {
    return create(region, shape, 0, secret0, secret1);
  }

  private static long create(Region region, int shape, long form, long secret0, long secret1) {
    long bytes = bytes(shape, form == DENSE ? SlotForm.DENSE : SlotForm.WIDE);
    long root = region.heap().allocate(bytes);
    Memory memory = region.memory();
    memory.zeroPlain(root, bytes);
    memory.writePlain(root + MapLayout.ROOT_SHAPE, shape | form);
    memory.writePlain(root + MapLayout.ROOT_SECRET, secret0);
    memory.writePlain(root + MapLayout.ROOT_SECRET + Long.BYTES, secret1);
    return root;
  }

  /// After the stripes comes the list of a batch's slots, and their number before it.
  private static long bytes(int shape, SlotForm slots) {
    long stripes = (long) Long.BYTES << shape;
    long list = 1 + (long) MapLayout.BATCH_MAX * slots.listWords();
    return MapLayout.ROOT_STRIPES + stripes + list * Long.BYTES;
  }

  private MapRoot() {}
}
