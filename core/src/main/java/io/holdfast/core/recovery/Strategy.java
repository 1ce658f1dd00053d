package io.holdfast.core.recovery;

import io.holdfast.core.RecoveryReport;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.log.SectionLogs;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.memory.SpanTable;

/// How the sections of a region are made failure-atomic: what is done at a store and at a section's
/// end, which is the matter of its logs, and what after a crash. Sections know its logs alone.
///
/// **STRATEGY-1** What the logs of a region are is said by a word of the region, and they are read
/// as it says, whatever is to be written to them later.
public interface Strategy {
  /// The strategy of a region.
  ///
  /// @throws RegionDamagedException if there is none of that number; nothing was written
  static Strategy of(Memory memory, SpanTable spans) {
    long number = memory.readPlain(RegionLayout.ANCHOR_STRATEGY);
    // STRATEGY-1. Test: RegionRefusalTest.strategy1LogsOfAnUnknownKind.
    if (number != UndoStrategy.NUMBER) {
      throw new RegionDamagedException(
          "%s: the region is damaged: the strategy's anchor holds 0x%X at offset 0x%X. The file was not touched; restore it from a backup"
              .formatted(memory.name(), number, RegionLayout.ANCHOR_STRATEGY));
    }
    return new UndoStrategy(memory, spans);
  }

  /// Takes a region that was not closed back to its last consistent cut, before it is used.
  ///
  /// @throws RegionDamagedException if it can't; nothing was written
  RecoveryReport recover();

  /// What {@link #recover} would do, and why.
  ///
  /// @throws RegionDamagedException as that does
  RecoveryPlan plan();

  /// The logs of a region that was closed, or recovered; called once.
  SectionLogs logs();

  /// Gives back what logs own, for a region that is closed while all its sections are durable.
  ///
  /// @param memory the region's, opened again
  void close(Memory memory);
}
