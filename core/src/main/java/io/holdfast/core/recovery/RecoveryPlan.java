package io.holdfast.core.recovery;

import io.holdfast.core.log.ScannedLog;
import io.holdfast.core.log.ScannedLog.ScannedEntry;
import io.holdfast.core.log.ScannedLog.ScannedSection;
import io.holdfast.core.log.ScannedLog.SectionName;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.memory.SpanTable;
import io.holdfast.core.recovery.Verdict.Row;
import io.holdfast.core.recovery.Verdict.Standing;
import java.util.ArrayList;
import java.util.List;

/// What recovery would do with a region's logs, and why; it is not done. Reads what {@link
/// Recovery} reads, and decides as it does.
///
/// @param isUndone whether a recovery was cut off after its last undo, so that the next one only
///   forgets the logs (RECOVERY-1)
/// @param logs by slot
public record RecoveryPlan(boolean isUndone, List<PlannedLog> logs) {
  /// A log.
  ///
  /// @param slot its number
  /// @param base where it is
  /// @param durable number of its last durable section
  /// @param ended number of the last one that ended and had to wait
  /// @param sections those that are not durable, in order
  public record PlannedLog(
      int slot, long base, long durable, long ended, List<PlannedSection> sections) {}

  /// A section that is not durable.
  ///
  /// @param row what decides
  /// @param dependencies what it is durable only with
  public record PlannedSection(
      SectionName name,
      Row row,
      List<Dependency> dependencies,
      long entries,
      ScannedLog log,
      long first) {
    /// Its entries, oldest first.
    ///
    /// @param index from 0 on, below {@link #entries}
    public ScannedEntry entry(long index) {
      return log.entry(first + index);
    }
  }

  /// @param isUndone whether the other section is undone, and this one with it
  public record Dependency(SectionName on, Standing standing, boolean isUndone) {}

  /// Makes the plan.
  ///
  /// @throws io.holdfast.core.RegionDamagedException naming the place, if a log can't be right
  static RecoveryPlan of(Memory memory, SpanTable spans) {
    new Recovery(memory, spans).checkAnchor();
    List<ScannedLog> scanned = ScannedLog.scan(memory, spans);
    Decision decision = new Decision(scanned);
    return new RecoveryPlan(
        memory.readPlain(RegionLayout.ANCHOR_RECOVERY) != 0,
        scanned.stream().map(log -> planned(log, decision)).toList());
  }

  /// Sections whose verdict is this one.
  public long count(Verdict verdict) {
    return logs.stream()
        .flatMap(log -> log.sections().stream())
        .filter(section -> section.row().verdict() == verdict)
        .count();
  }

  private static PlannedLog planned(ScannedLog log, Decision decision) {
    List<PlannedSection> sections = new ArrayList<>();
    for (int i = 0; i < log.sections().size(); i++) {
      ScannedSection section = log.sections().get(i);
      boolean isLast = i + 1 == log.sections().size();
      long end = isLast ? log.entries() : log.sections().get(i + 1).first();
      List<Dependency> dependencies =
          section.dependencies().stream()
              .map(on -> new Dependency(on, decision.standing(on), decision.isUndone(on)))
              .toList();
      boolean met = dependencies.stream().noneMatch(Dependency::isUndone);
      sections.add(
          new PlannedSection(
              section.name(),
              Verdict.row(decision.standing(section.name()), met),
              dependencies,
              end - section.first(),
              log,
              section.first()));
    }
    return new PlannedLog(log.slot(), log.base(), log.durable(), log.ended(), sections);
  }
}
