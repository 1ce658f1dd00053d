package io.holdfast.stress;

import java.time.Duration;

/// Times as they stand in tables.
final class Milliseconds {
  static String of(Duration duration) {
    return "%.2f ms".formatted(duration.toNanos() / 1e6);
  }

  private Milliseconds() {}
}
