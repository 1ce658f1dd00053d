package io.holdfast.stress.soak;

/// What was measured behind a round, when no thread was at work.
///
/// @param moves of tokens
/// @param fileBytes the file's length
/// @param heapBytes what was used of the heap behind a collection
/// @param threads of the JVM
public record Round(long moves, long fileBytes, long heapBytes, int threads) {
  /// What may come and go without a reason of ours.
  private static final long HEAP_SLACK_BYTES = 8 << 20;

  private static final int THREADS_SLACK = 4;

  /// What has grown since an earlier round, in which everything was as large as it has to be.
  ///
  /// @return empty if nothing has
  public String growthSince(Round settled) {
    if (fileBytes > settled.fileBytes + settled.fileBytes / 2) {
      return "the file: bytes=%d, settled=%d".formatted(fileBytes, settled.fileBytes);
    }
    if (heapBytes > settled.heapBytes + HEAP_SLACK_BYTES) {
      return "the heap: bytes=%d, settled=%d".formatted(heapBytes, settled.heapBytes);
    }
    if (threads > settled.threads + THREADS_SLACK) {
      return "threads: count=%d, settled=%d".formatted(threads, settled.threads);
    }
    return "";
  }
}
