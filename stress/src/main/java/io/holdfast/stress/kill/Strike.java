package io.holdfast.stress.kill;

import java.util.Locale;

/// What a kill struck: the worker's stage, and what opening meant.
public enum Strike {
  /// The JVM had not come to open the store.
  STARTING,
  /// The store was being created.
  CREATING,
  /// A store that had been closed was being opened.
  OPENING,
  /// A store that an earlier kill had left was being recovered.
  RECOVERING,
  /// The workload was making what was missing.
  SETTING_UP,
  /// The threads were at work.
  WORKING,
  /// The store was being closed.
  CLOSING;

  /// @param existed whether the store was there when the worker began
  /// @param crashed whether an earlier kill had left it
  static Strike of(WorkerProcess worker, boolean existed, boolean crashed) {
    return switch (worker.stage()) {
      case STARTING -> STARTING;
      case OPENING -> opening(worker.openings() == 1, existed, crashed);
      case SETTING_UP -> SETTING_UP;
      case WORKING -> WORKING;
      case CLOSING -> CLOSING;
    };
  }

  private static Strike opening(boolean first, boolean existed, boolean crashed) {
    if (first && !existed) {
      return CREATING;
    }
    return first && crashed ? RECOVERING : OPENING;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
