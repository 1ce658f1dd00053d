package io.holdfast.collections.tree.node;

import io.holdfast.core.RegionDamagedException;

/// What contradicts the order of a tree's keys. If the caller's code compares them, it may be that
/// code, and the file sound.
public final class OrderFault {
  private OrderFault() {}

  /// @param name the region's
  /// @param what was found, and where
  public static RegionDamagedException of(KeyOrder order, String name, String what) {
    return new RegionDamagedException(
        order.isCallers()
            ? "%s: a tree: %s. Either the comparison of its keys contradicts itself, or the map was made with another one, or the region is damaged. Look at the comparator first; restore the region from a backup if it is right"
                .formatted(name, what)
            : "%s: the region is damaged: a tree: %s. Restore it from a backup"
                .formatted(name, what));
  }
}
