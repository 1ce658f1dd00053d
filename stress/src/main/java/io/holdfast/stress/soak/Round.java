package io.holdfast.stress.soak;

/// What was measured after a round, when no thread was at work.
///
/// @param moves of tokens
/// @param fileBytes the file's length
/// @param logBytes of the file that hold log slots, and what has outgrown them
/// @param heapBytes what was used of the heap after a collection
/// @param threads of the JVM
/// @param events what a number of moves made Holdfast tell
public record Round(
    long moves, long fileBytes, long logBytes, long heapBytes, int threads, Events events) {
  /// What may come and go without a reason of ours.
  private static final long HEAP_SLACK_BYTES = 8 << 20;

  private static final int THREADS_SLACK = 4;

  /// What a file may have in any case: rounds may be too short for it to settle. Some 1 MiB is
  /// stored, and files settled at 18 MiB.
  private static final long FILE_BYTES_FREE = 32 << 20;

  /// What has grown since an earlier round, in which everything was as large as it has to be.
  ///
  /// @return empty if nothing has
  public String growthSince(Round settled) {
    if (fileBytes > Math.max(FILE_BYTES_FREE, settled.fileBytes + settled.fileBytes / 2)) {
      return "the file: bytes=%d, settled=%d".formatted(fileBytes, settled.fileBytes);
    }
    if (logBytes > settled.logBytes) {
      return "the logs: bytes=%d, settled=%d".formatted(logBytes, settled.logBytes);
    }
    if (heapBytes > settled.heapBytes + HEAP_SLACK_BYTES) {
      return "the heap: bytes=%d, settled=%d".formatted(heapBytes, settled.heapBytes);
    }
    if (threads > settled.threads + THREADS_SLACK) {
      return "threads: count=%d, settled=%d".formatted(threads, settled.threads);
    }
    return "";
  }

  @Override
  public String toString() {
    return "%9d moves, file %9d bytes, logs %6d bytes, heap %9d bytes, %d threads, %s"
        .formatted(moves, fileBytes, logBytes, heapBytes, threads, events);
  }
}
