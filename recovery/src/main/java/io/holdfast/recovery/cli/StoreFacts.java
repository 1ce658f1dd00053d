package io.holdfast.recovery.cli;

import io.holdfast.core.log.ScannedLog.ScannedEntry;
import io.holdfast.core.log.UndoEntry.Kind;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.recovery.RecoveryPlan.PlannedSection;
import io.holdfast.recovery.BlockOwners;
import io.holdfast.recovery.RegionView;
import io.holdfast.recovery.cli.Facts.Offset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What sections stored, as their entries tell, and in which collections.
final class StoreFacts {
  private final List<PlannedSection> sections;
  private final long entriesMax;
  private final Memory now;
  private final BlockOwners owners;

  /// @param entriesMax of each section, the last ones
  StoreFacts(RegionView view, List<PlannedSection> sections, long entriesMax) {
    this.sections = sections;
    this.entriesMax = entriesMax;
    this.now = view.untouched();
    this.owners = sections.isEmpty() ? null : BlockOwners.of(view.recovered(), targets());
  }

  /// A section, as `slot:number`.
  static String name(PlannedSection section) {
    return section.name().slot() + ":" + section.name().number();
  }

  private long firstShown(PlannedSection section) {
    return Math.max(0, section.entries() - entriesMax);
  }

  private Set<Long> targets() {
    Set<Long> targets = new HashSet<>();
    for (PlannedSection section : sections) {
      for (long i = firstShown(section); i < section.entries(); i++) {
        ScannedEntry entry = section.entry(i);
        if (entry.kind() != Kind.DEPENDENCY) {
          targets.add(entry.target());
        }
      }
    }
    return targets;
  }

  /// The entries of all sections, old to new.
  List<Facts> rows() {
    List<Facts> rows = new ArrayList<>();
    for (PlannedSection section : sections) {
      for (long i = firstShown(section); i < section.entries(); i++) {
        rows.add(facts(section, section.entry(i)));
      }
    }
    return rows;
  }

  /// The stores of a section by root, old to new in each.
  List<Facts> rowsByRoot(PlannedSection section) {
    Map<String, List<Facts>> byRoot = new LinkedHashMap<>();
    for (long i = firstShown(section); i < section.entries(); i++) {
      ScannedEntry entry = section.entry(i);
      if (entry.kind() != Kind.DEPENDENCY) {
        byRoot
            .computeIfAbsent(owners.ownerOf(entry.target()), _ -> new ArrayList<>())
            .add(store(new Facts(), entry));
      }
    }
    return byRoot.values().stream().flatMap(List::stream).toList();
  }

  private Facts facts(PlannedSection section, ScannedEntry entry) {
    Facts facts = new Facts().put("section", name(section)).put("stamp", entry.stamp());
    return store(facts, entry);
  }

  private Facts store(Facts facts, ScannedEntry entry) {
    boolean isStore = entry.kind() != Kind.DEPENDENCY;
    return facts
        .put("kind", kind(entry.kind()))
        .put("root", isStore ? owners.ownerOf(entry.target()) : null)
        .put("offset", isStore ? new Offset(entry.target()) : null)
        .put("inBlock", isStore ? new Offset(owners.placeOf(entry.target())) : null)
        .put("bytes", isStore ? entry.words() * RegionLayout.WORD_BYTES : null)
        .put("before", isStore ? new Offset(entry.value()) : null)
        .put("now", isStore ? new Offset(now.readPlain(entry.target())) : null);
  }

  /// What the section did; the entry says how to undo it.
  private static String kind(Kind kind) {
    return switch (kind) {
      case STORE -> "store";
      case SET_BITS -> "clear bits";
      case CLEAR_BITS -> "set bits";
      case DEPENDENCY -> "depend";
      case RANGE -> "store range";
      case NONE, LINK -> "none";
    };
  }
}
