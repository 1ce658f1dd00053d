package io.holdfast.core.recovery;

import java.util.List;

/// What recovery does with a section, as a table: every combination of what the logs can say of one
/// has a row.
public enum Verdict {
  /// Its effects are there and its log entries are not looked at.
  FORGET,
  /// It had ended, and so had all that it depends on: its effects stay.
  KEEP,
  /// Its effects are taken back.
  UNDO;

  /// How far a section had come.
  public enum Standing {
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
  /// @param why in words, for people
  public record Row(Standing standing, boolean met, Verdict verdict, String why) {}

  /// The table. A durable section whose dependencies are not met can't be left by any crash
  /// (COMMIT-1); it is forgotten like the others, since its entries may be gone.
  public static final List<Row> TABLE =
      List.of(
          new Row(
              Standing.OPEN,
              false,
              UNDO,
              "it had not ended, and something that it depends on is undone too"),
          new Row(Standing.OPEN, true, UNDO, "it had not ended"),
          new Row(
              Standing.ENDED,
              false,
              UNDO,
              "it had ended, but something that it depends on is undone"),
          new Row(
              Standing.ENDED,
              true,
              KEEP,
              "it had ended, and all that it depends on is durable or kept"),
          new Row(Standing.DURABLE, false, FORGET, "it was durable"),
          new Row(Standing.DURABLE, true, FORGET, "it was durable"));

  /// The row that decides.
  public static Row row(Standing standing, boolean met) {
    for (Row row : TABLE) {
      if (row.standing() == standing && row.met() == met) {
        return row;
      }
    }
    throw new IllegalStateException("no row: standing=%s, met=%s".formatted(standing, met));
  }

  static Verdict of(Standing standing, boolean met) {
    return row(standing, met).verdict();
  }
}
