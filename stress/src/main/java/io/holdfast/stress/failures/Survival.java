package io.holdfast.stress.failures;

import io.holdfast.Holdfast;
import io.holdfast.core.Durability;
import java.util.Locale;

/// What the stores that are tried survive.
public enum Survival {
  /// A crash of the process: the file alone.
  PROCESS_CRASH,
  /// A loss of power, on a disk with a log; each operation waits for the device.
  POWER_FAILURE_ON_DISK,
  /// The same, and operations return when they survive a crash of the process.
  RELAXED_ON_DISK;

  Holdfast.Options options() {
    Holdfast.Options options = Holdfast.Options.defaults();
    return switch (this) {
      case PROCESS_CRASH -> options;
      case POWER_FAILURE_ON_DISK -> options.durability(Durability.POWER_FAILURE);
      case RELAXED_ON_DISK ->
          options.durability(Durability.POWER_FAILURE).acknowledge(Durability.PROCESS_CRASH);
    };
  }

  boolean hasLog() {
    return this != PROCESS_CRASH;
  }

  public static Survival of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
