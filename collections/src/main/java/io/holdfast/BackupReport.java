package io.holdfast;

import java.nio.file.Path;
import java.time.Duration;

/// What a backup took.
///
/// @param file the copy
/// @param bytes its length
/// @param copied bytes that were copied, those that changed meanwhile again
/// @param rounds how often what had changed was copied again while others stored
/// @param held how long stores waited
/// @param duration all of it
public record BackupReport(
    Path file, long bytes, long copied, int rounds, Duration held, Duration duration) {
  @Override
  public String toString() {
    return "backup %s: bytes=%d, copied=%d, rounds=%d, stores held for %d µs, %d ms"
        .formatted(file, bytes, copied, rounds, held.toNanos() / 1_000, duration.toMillis());
  }
}
