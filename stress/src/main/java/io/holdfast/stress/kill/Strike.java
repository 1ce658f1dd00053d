package io.holdfast.stress.kill;

import java.util.Locale;
import java.util.Set;

/// What a kill struck: the worker's stage, and what opening meant.
public enum Strike {
  /// The JVM had not come to open the store.
  STARTING,
  /// The store was being created.
  CREATING,
  /// A store was being opened that had been closed, perhaps in the middle of a section.
  OPENING,
  /// A store that an earlier kill had left was being recovered.
  RECOVERING,
  /// The workload was making what was missing.
  SETTING_UP,
  /// The threads were at work, and at nothing of what follows.
  WORKING,
  /// The section of one of the threads was ending.
  COMMITTING,
  /// A thread stored what the file had no room for.
  GROWING,
  /// A thread gave the file's free end back.
  TRIMMING,
  /// The store was being closed.
  CLOSING;

  /// @param activities of the worker's threads; of several, the one that is hit more seldom counts
  /// @param existed whether the store was there when the worker began
  /// @param crashed whether an earlier kill had left it
  static Strike of(
      WorkerProcess worker, Set<Activity> activities, boolean existed, boolean crashed) {
    return switch (worker.stage()) {
      case STARTING -> STARTING;
      case OPENING -> opening(worker.openings() == 1, existed, crashed);
      case SETTING_UP -> SETTING_UP;
      case WORKING -> working(activities);
      case CLOSING -> CLOSING;
    };
  }

  private static Strike working(Set<Activity> activities) {
    if (activities.contains(Activity.TRIMMING)) {
      return TRIMMING;
    }
    if (activities.contains(Activity.GROWING)) {
      return GROWING;
    }
    return activities.contains(Activity.COMMITTING) ? COMMITTING : WORKING;
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
