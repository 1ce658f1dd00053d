package io.holdfast.stress.kill;

import io.holdfast.Holdfast;
import io.holdfast.core.Durability;
import io.holdfast.core.redo.QuietPoint;
import java.io.IOException;
import java.io.UncheckedIOException;

/// What workers open their stores for. A kill is no loss of power; but the code that makes stores
/// durable is killed.
public enum Survived {
  PROCESS_CRASH(Durability.PROCESS_CRASH, Durability.PROCESS_CRASH, false),

  /// By write-backs and fences, of a file that is treated as persistent memory.
  POWER_FAILURE(Durability.POWER_FAILURE, Durability.POWER_FAILURE, true),

  /// By a log beside the file.
  POWER_FAILURE_ON_DISK(Durability.POWER_FAILURE, Durability.POWER_FAILURE, false),

  /// The same, but that operations return before the device has what they did: a kill takes nothing
  /// of it.
  RELAXED_ON_DISK(Durability.POWER_FAILURE, Durability.PROCESS_CRASH, false),

  /// The same on persistent memory.
  RELAXED_IN_MEMORY(Durability.POWER_FAILURE, Durability.PROCESS_CRASH, true);

  private final Durability durability;
  private final Durability acknowledged;
  private final boolean isDeclared;

  Survived(Durability durability, Durability acknowledged, boolean isDeclared) {
    this.durability = durability;
    this.acknowledged = acknowledged;
    this.isDeclared = isDeclared;
  }

  /// Whether lines are written back by native calls.
  boolean needsNativeAccess() {
    return isDeclared;
  }

  /// Whether a store has a log.
  boolean hasLog() {
    return durability == Durability.POWER_FAILURE && !(isDeclared && acknowledged == durability);
  }

  /// Compares what the process has of a store with a log with what a crash would leave (QUIET-1).
  ///
  /// @param store opened for this, to which no thread of the program stores
  /// @throws Violation if they differ
  public void checkQuiet(Holdfast store) {
    if (hasLog()) {
      try {
        String difference = QuietPoint.difference(store.path());
        Violation.unless(difference.isEmpty(), "a quiet point: %s", difference);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  public Holdfast.Options options() {
    Holdfast.Options options =
        Holdfast.Options.defaults().durability(durability).acknowledge(acknowledged);
    return isDeclared ? options.treatAsPersistentMemory() : options;
  }
}
