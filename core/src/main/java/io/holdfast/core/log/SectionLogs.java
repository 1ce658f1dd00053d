package io.holdfast.core.log;

/// The logs of a region's sections that nobody uses.
///
/// Thread-safe.
public interface SectionLogs {
  /// Takes one.
  ///
  /// @return `null` if there is none
  SectionLog poll();

  /// Gives one back; all its sections are durable.
  void giveBack(SectionLog log);

  /// Makes more of them.
  ///
  /// @throws io.holdfast.core.RegionFullException if the device has no room
  void extend();
}
