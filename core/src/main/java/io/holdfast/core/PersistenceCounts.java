package io.holdfast.core;

/// How often a store made its data durable, and how much.
///
/// @param flushes times that a write-back was started
/// @param fences times that a thread waited for the write-backs it had started
/// @param lines cache lines that were written back; a line twice written back counts twice
/// @param bytes bytes that were asked to be written back, so that `lines` × 64 less this is what
///   the lines' size cost
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
