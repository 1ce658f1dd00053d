package io.holdfast.core;

import java.time.Duration;

/// What opening a region found and did.
///
/// @param outcome in which state the region was found
/// @param logsScanned undo logs that were read, 0 unless the outcome is `RECOVERED`
/// @param sectionsKept sections that had ended when the process died, were waiting for others, and
///   are durable
/// @param sectionsUndone sections that the crash cut off, or that depend on one that it did
/// @param entriesUndone undo entries that were applied
/// @param duration time from reading the first log to the region being ready
public record RecoveryReport(
    Outcome outcome,
    int logsScanned,
    int sectionsKept,
    int sectionsUndone,
    long entriesUndone,
    Duration duration) {

  /// The state in which a region was found.
  public enum Outcome {
    /// There was no region, or one whose creation had been cut off; it is new and empty.
    CREATED,
    /// The region had been closed; nothing was to be done.
    CLEAN,
    /// The region had not been closed; it is back at its last consistent cut.
    RECOVERED
  }

  /// The report of a region that needed no recovery.
  public static RecoveryReport without(Outcome outcome) {
    return new RecoveryReport(outcome, 0, 0, 0, 0, Duration.ZERO);
  }

  @Override
  public String toString() {
    return switch (outcome) {
      case CREATED -> "created";
      case CLEAN -> "opened clean";
      case RECOVERED ->
          "recovered: logs="
              + logsScanned
              + ", sections kept="
              + sectionsKept
              + ", sections undone="
              + sectionsUndone
              + ", entries undone="
              + entriesUndone
              + ", "
              + duration.toNanos() / 1_000
              + " µs";
    };
  }
}
