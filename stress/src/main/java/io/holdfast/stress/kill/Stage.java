package io.holdfast.stress.kill;

import java.util.Locale;

/// What a worker is at. The worker tells its parent when it enters one.
public enum Stage {
  /// The JVM starts.
  STARTING,
  /// The store is being created or opened: after a kill, it is being recovered.
  OPENING,
  /// The store is open, and the workload makes what is missing.
  SETTING_UP,
  /// The threads work.
  WORKING,
  /// The store is being closed.
  CLOSING;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
