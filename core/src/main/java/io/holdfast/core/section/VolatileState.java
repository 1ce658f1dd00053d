package io.holdfast.core.section;

/// What a collection keeps in memory about itself and a section changes: set back if the section is
/// rolled back ({@link Section#enlist}).
///
/// Until then nobody else changes it, because who shares the collection's locks depends on the
/// section, and a section on which others depend is not rolled back.
public interface VolatileState {
  /// Remembers what it is now: before the section's first change.
  default void save() {
    // Nothing need be known to set it back.
  }

  /// Is again what it was when it was saved. Takes no lock that anybody holds who enters a section
  /// (ROLLBACK-2), and does not throw.
  void restore();
}
