package io.holdfast.stress.kill;

import java.util.Locale;

/// What a thread of a worker does that takes so short, or comes so seldom, that it is told apart
/// from other work; see {@link Board}.
public enum Activity {
  /// A section is ending: its last action is done, and `atomically` has not returned.
  COMMITTING,
  /// Something is stored for which the file has no room yet.
  GROWING,
  /// The file's free end is being given back.
  TRIMMING;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
