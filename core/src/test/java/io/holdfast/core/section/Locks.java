package io.holdfast.core.section;

import java.util.List;

/// Locks for tests in other packages.
public final class Locks {
  /// Locks between which there are no dependencies but those that a program makes: their stripes
  /// differ.
  public static List<Object> unrelated(int count) {
    return List.copyOf(DependencyCrashTest.locks(count));
  }

  private Locks() {}
}
