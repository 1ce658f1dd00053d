package io.holdfast.core.memory;

import static io.holdfast.core.memory.RegionLayout.LINE_BYTES;

/// Write-backs of one kind that a thread has started, and whether it has waited for them.
///
/// Not thread-safe: each thread has its own, since a fence waits for its own thread's alone.
final class WriteBacks {
  private final Memory bytes;
  private boolean pending;
  private long flushes;
  private long lines;

  WriteBacks(Memory bytes) {
    this.bytes = bytes;
  }

  /// Starts writing a line back.
  void flush(long line) {
    flush(line, LINE_BYTES);
  }

  /// Starts writing some bytes back.
  void flush(long offset, long length) {
    bytes.flush(offset, length);
    pending = true;
    flushes++;
    lines += (length + LINE_BYTES - 1) / LINE_BYTES;
  }

  /// Whether some were started since the last fence.
  boolean arePending() {
    return pending;
  }

  /// The thread has waited.
  void fenced() {
    pending = false;
  }

  /// Times that some were started.
  long flushes() {
    return flushes;
  }

  /// Lines of them.
  long lines() {
    return lines;
  }
}
