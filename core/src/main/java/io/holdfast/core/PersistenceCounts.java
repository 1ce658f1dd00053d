package io.holdfast.core;

/// How often a store made its data durable, and how much. On a disk each write to the log that
/// waited for the device is a flush and a fence, and `lines` and `bytes` are what it wrote.
///
/// @param flushes times that a write-back was started
/// @param fences times that a thread waited for the write-backs it had started
/// @param lines cache lines that were written back; a line twice written back counts twice
/// @param bytes bytes that were asked to be written back, so that `64 × lines − bytes` was written
///   only because lines are written whole
public record PersistenceCounts(long flushes, long fences, long lines, long bytes) {
  /// Nothing was counted: what a store that survives process crashes alone has to show.
  public static final PersistenceCounts NONE = new PersistenceCounts(0, 0, 0, 0);

  /// What was counted since an earlier reading.
  public PersistenceCounts since(PersistenceCounts earlier) {
    return new PersistenceCounts(
        flushes - earlier.flushes,
        fences - earlier.fences,
        lines - earlier.lines,
        bytes - earlier.bytes);
  }
}
