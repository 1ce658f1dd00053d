package io.holdfast.core.recovery;

import io.holdfast.core.log.ScannedLog;
import io.holdfast.core.log.ScannedLog.ScannedSection;
import io.holdfast.core.log.ScannedLog.SectionName;
import io.holdfast.core.recovery.Verdict.Standing;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Decides which sections stay: the greatest set of ended sections that is closed under
/// dependencies (P2; Atlas 4.4.2). Pure: reads scanned logs, writes nothing.
///
/// It starts from what is certainly undone, the sections that were open, and follows dependencies
/// backwards: what depends on an undone section is undone. What is left is the greatest closed set,
/// cycles included, in one step for each dependency.
final class Decision {
  private final List<ScannedLog> logs;
  private final Map<SectionName, ScannedSection> sections = new HashMap<>();
  private final Set<SectionName> undone = new HashSet<>();

  Decision(List<ScannedLog> logs) {
    this.logs = logs;
    for (ScannedLog log : logs) {
      for (ScannedSection section : log.sections()) {
        sections.put(section.name(), section);
      }
    }
    decide();
  }

  private void decide() {
    Map<SectionName, List<SectionName>> dependents = new HashMap<>();
    Deque<SectionName> toUndo = new ArrayDeque<>();
    for (ScannedSection section : sections.values()) {
      boolean met = true;
      for (SectionName other : section.dependencies()) {
        dependents.computeIfAbsent(other, key -> new ArrayList<>()).add(section.name());
        // One that left no entries can't have waited, so if it is not durable it was open.
        met &= standing(other) != Standing.OPEN;
      }
      if (Verdict.of(standing(section.name()), met) == Verdict.UNDO) {
        toUndo.add(section.name());
      }
    }
    while (!toUndo.isEmpty()) {
      SectionName name = toUndo.poll();
      if (undone.add(name)) {
        for (SectionName dependent : dependents.getOrDefault(name, List.of())) {
          if (Verdict.of(standing(dependent), false) == Verdict.UNDO) {
            toUndo.add(dependent);
          }
        }
      }
    }
  }

  /// How far a section had come, whether or not it left entries.
  Standing standing(SectionName name) {
    ScannedLog log = logs.get(name.slot());
    if (log.isDurable(name.number())) {
      return Standing.DURABLE;
    }
    return log.hasEnded(name.number()) ? Standing.ENDED : Standing.OPEN;
  }

  /// Index of the first entry of a log that is undone; all behind it are. Undone sections are the
  /// last of their log, because each depends on the one before it unless that was durable.
  long firstUndone(ScannedLog log) {
    for (ScannedSection section : log.sections()) {
      if (undone.contains(section.name())) {
        return section.first();
      }
    }
    return log.entries();
  }

  /// Whether a section, of those that left entries or not, is undone.
  boolean isUndone(SectionName name) {
    return undone.contains(name) || standing(name) == Standing.OPEN;
  }

  int sectionsUndone() {
    return undone.size();
  }

  int sectionsKept() {
    return sections.size() - undone.size();
  }
}
