package io.holdfast.stress.kill;

import io.holdfast.Holdfast;
import io.holdfast.core.Durability;

/// What workers open their stores for. A kill is no loss of power; but the code that makes stores
/// durable is killed.
public enum Survived {
  PROCESS_CRASH(Durability.PROCESS_CRASH, false),

  /// By write-backs and fences, of a file that is treated as persistent memory.
  POWER_FAILURE(Durability.POWER_FAILURE, true),

  /// By a log beside the file.
  POWER_FAILURE_ON_DISK(Durability.POWER_FAILURE, false),

  /// The same, but that operations return before the device has what they did: a kill takes nothing
  /// of it.
  RELAXED_ON_DISK(Durability.POWER_FAILURE, false) {
    @Override
    Holdfast.Options options() {
      return super.options().acknowledge(Durability.PROCESS_CRASH);
    }
  };

  private final Durability durability;
  private final boolean isDeclared;

  Survived(Durability durability, boolean isDeclared) {
    this.durability = durability;
    this.isDeclared = isDeclared;
  }

  /// Whether lines are written back by native calls.
  boolean needsNativeAccess() {
    return isDeclared;
  }

  Holdfast.Options options() {
    Holdfast.Options options = Holdfast.Options.defaults().durability(durability);
    return isDeclared ? options.treatAsPersistentMemory() : options;
  }
}
