package io.holdfast.core.section;

import io.holdfast.core.RecoveryReport;
import io.holdfast.core.log.SectionLogs;
import io.holdfast.core.memory.Memory;

/// How the sections of a region are made failure-atomic: what is done at a store and at a section's
/// end, which is the matter of its logs, and what after a crash. Sections know no more of it.
public interface Strategy {
  /// Takes a region that was not closed back to its last consistent cut, before it is used.
  ///
  /// @throws io.holdfast.core.RegionDamagedException if it can't; nothing was written
  RecoveryReport recover();

  /// The logs of a region that was closed, or recovered; called once.
  SectionLogs logs();

  /// Gives back what logs own, for a region that is closed while all its sections are durable.
  ///
  /// @param memory the region's, opened again
  void close(Memory memory);
}
