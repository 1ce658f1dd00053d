package io.holdfast.core.heap;

/// What a region's bytes are used for, as it is on media.
///
/// @param blocks allocated blocks
/// @param liveBytes what the allocated blocks can hold
/// @param slabBytes spans of slabs, whether their blocks are used or not
/// @param liveSlabBytes what the allocated blocks in slabs can hold
/// @param freeBytes spans that nothing uses
/// @param regionBytes the region's length
public record HeapUsage(
    long blocks,
    long liveBytes,
    long slabBytes,
    long liveSlabBytes,
    long freeBytes,
    long regionBytes) {

  /// How many times as long the region is as what its blocks can hold.
  public double regionPerLive() {
    return (double) regionBytes / liveBytes;
  }
}
