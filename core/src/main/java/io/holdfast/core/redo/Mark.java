package io.holdfast.core.redo;

/// Where a batch is, or will be.
///
/// @param position the offset in the file at which it is, unless it did not fit there before the
///   ring's end; then it is at the ring's beginning (BATCH-W1)
/// @param number of the batch
/// @param crc of the batch before it
record Mark(long position, long number, int crc) {}
