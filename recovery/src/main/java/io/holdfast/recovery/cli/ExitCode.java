package io.holdfast.recovery.cli;

/// What a command's exit code says. The numbers are fixed: scripts go by them.
///
/// | code | name | it says |
/// |---|---|---|
/// | 0 | SOUND | it was done, and what was looked at is in order |
/// | 1 | FAILED | something went wrong that no other code names |
/// | 2 | USAGE | the command line is wrong; nothing was done |
/// | 3 | RECOVERABLE | of `verify` alone: the region was not closed; its next opening recovers it |
/// | 4 | DAMAGED | the region is damaged, at a place that was named |
/// | 5 | REFUSED | the file, the device or the rights to it don't allow it; nothing was done |
/// | 6 | IN_USE | another process has the store open; nothing was done |
/// | 7 | INCOMPLETE | it was done in part; what is missing was named |
///
/// A looking command that shows a region that was not closed exits with 0: only `verify` is asked
/// for a judgement.
public enum ExitCode {
  SOUND(0, "done, and what was looked at is in order"),
  FAILED(1, "something went wrong that no other code names"),
  USAGE(2, "the command line is wrong; nothing was done"),
  RECOVERABLE(3, "of `verify` alone: the region was not closed; its next opening recovers it"),
  DAMAGED(4, "the region is damaged"),
  REFUSED(5, "the file, the device or the rights to it don't allow it; nothing was done"),
  IN_USE(6, "another process has the store open; nothing was done"),
  INCOMPLETE(7, "done in part; what is missing was named");

  private final int number;
  private final String meaning;

  ExitCode(int number, String meaning) {
    this.number = number;
    this.meaning = meaning;
  }

  /// What the process exits with.
  public int number() {
    return number;
  }

  /// In a line of the help.
  public String meaning() {
    return meaning;
  }
}
