package io.holdfast.core.log;

/// The logs of a region's sections that nobody uses.
///
/// Not thread-safe: the region's sections keep threads apart.
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
