package io.holdfast.core.heap;

/// What a region's bytes are used for, as it is on media.
///
/// @param blocks allocated blocks
/// @param liveBytes what the allocated blocks can hold
/// @param slabBytes spans of slabs, whether their blocks are used or not
/// @param freeBytes spans that nothing uses
/// @param regionBytes the region's length
public record HeapUsage(
    long blocks, long liveBytes, long slabBytes, long freeBytes, long regionBytes) {}
