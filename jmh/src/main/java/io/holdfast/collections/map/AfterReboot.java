package io.holdfast.collections.map;

import io.holdfast.core.region.Region;

/// Opens a map as if the operating system had been started anew since it was last open, so that its
/// index is rebuilt. In this package because the number of a system's run is the map's own affair.
///
/// What a loss of power does to the index is not done: a rebuild never looks at it.
public final class AfterReboot {
  private AfterReboot() {}

  /// Opens, with a rebuild in parallel if the map was last open to survive a loss of power.
  public static EntryMap open(Region region, long root) {
    return new EntryMap(region, root, System.nanoTime() | 1, true);
  }
}
