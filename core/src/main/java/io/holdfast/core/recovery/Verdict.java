package io.holdfast.core.recovery;

import java.util.List;

/// What recovery does with a section, as a table: every combination of what the logs can say of one
/// has a row.
enum Verdict {
  /// Its effects are there and its log entries are not looked at.
  FORGET,
  /// It had ended, and so had all that it depends on: its effects stay.
  KEEP,
  /// Its effects are taken back.
  UNDO;

  /// How far a section had come.
  enum Standing {
    /// Still running, or cut off, or ended with data that is not durable (HOLD-1): its number is
    /// above the slot's ENDED.
    OPEN,
    /// Ended, and waiting for others: its number is at most ENDED.
    ENDED,
    /// Its number is at most the slot's DURABLE.
    DURABLE
  }

  /// A row.
  ///
  /// @param met whether all that the section depends on is durable or kept
  record Row(Standing standing, boolean met, Verdict verdict) {}

  /// The table. A durable section whose dependencies are not met can't be left by any crash
  /// (SETTLE-1); it is forgotten like the others, since its entries may be gone.
  static final List<Row> TABLE =
      List.of(
          new Row(Standing.OPEN, false, UNDO),
          new Row(Standing.OPEN, true, UNDO),
          new Row(Standing.ENDED, false, UNDO),
          new Row(Standing.ENDED, true, KEEP),
          new Row(Standing.DURABLE, false, FORGET),
          new Row(Standing.DURABLE, true, FORGET));

  static Verdict of(Standing standing, boolean met) {
    for (Row row : TABLE) {
      if (row.standing() == standing && row.met() == met) {
        return row.verdict();
      }
    }
    throw new IllegalStateException("no row: standing=%s, met=%s".formatted(standing, met));
  }
}
