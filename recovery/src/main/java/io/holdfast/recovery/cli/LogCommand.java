package io.holdfast.recovery.cli;

import io.holdfast.core.log.ScannedLog.ScannedEntry;
import io.holdfast.core.log.UndoEntry.Kind;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.recovery.RecoveryPlan;
import io.holdfast.core.recovery.RecoveryPlan.Dependency;
import io.holdfast.core.recovery.RecoveryPlan.PlannedLog;
import io.holdfast.core.recovery.RecoveryPlan.PlannedSection;
import io.holdfast.core.recovery.Verdict;
import io.holdfast.recovery.BlockOwners;
import io.holdfast.recovery.RegionView;
import io.holdfast.recovery.cli.Facts.Offset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// What is in the logs, and what recovery would do with it.
@Command(
    name = "log",
    description = {
      "Shows the logs: each section that is not durable, what it stored and what it depends on, and"
          + " what recovery would keep and undo, and why. Nothing of that is done.",
      "The file is not changed, and may be in use."
    })
final class LogCommand extends RegionCommand {
  @Option(
      names = "--entries",
      paramLabel = "N",
      defaultValue = "20",
      description = "shows the last N entries of each section (default: ${DEFAULT-VALUE})")
  private long entriesMax;

  @Override
  ExitCode run() {
    try (RegionView view = RegionView.open(file())) {
      RecoveryPlan plan = view.plan();
      List<PlannedSection> sections =
          plan.logs().stream().flatMap(log -> log.sections().stream()).toList();
      print(
          new Facts()
              .put("file", file())
              .put("logs", plan.logs().size())
              .put("used", plan.logs().stream().filter(log -> log.durable() != 0).count())
              .put("undo", plan.count(Verdict.UNDO))
              .put("keep", plan.count(Verdict.KEEP))
              .put("alreadyUndone", plan.isUndone())
              .put(
                  "slots",
                  plan.logs().stream().filter(LogCommand::wasUsed).map(this::facts).toList())
              .put("sections", sections.stream().map(LogCommand::facts).toList())
              .put("entries", entries(view, sections)));
      remarkInUse(view);
      if (view.needsRecovery()) {
        remark("the next opening does this by itself; to have it done now: " + command("recover"));
      }
      return ExitCode.SOUND;
    }
  }

  private static boolean wasUsed(PlannedLog log) {
    return log.durable() != 0 || !log.sections().isEmpty();
  }

  private Facts facts(PlannedLog log) {
    return new Facts()
        .put("slot", log.slot())
        .put("offset", new Offset(log.base()))
        .put("lastDurable", log.durable())
        .put("lastEnded", log.ended())
        .put("sections", log.sections().size());
  }

  private static Facts facts(PlannedSection section) {
    return new Facts()
        .put("section", name(section))
        .put("verdict", section.row().verdict().name().toLowerCase(Locale.ROOT))
        .put("why", section.row().why())
        .put("entries", section.entries())
        .put("dependsOn", section.dependencies().stream().map(LogCommand::text).toList());
  }

  private static String name(PlannedSection section) {
    return section.name().slot() + ":" + section.name().number();
  }

  private static String text(Dependency dependency) {
    return "%d:%d (%s)"
        .formatted(
            dependency.on().slot(),
            dependency.on().number(),
            dependency.isUndone()
                ? "undone"
                : dependency.standing().name().toLowerCase(Locale.ROOT));
  }

  private List<Facts> entries(RegionView view, List<PlannedSection> sections) {
    List<Facts> rows = new ArrayList<>();
    Memory now = view.untouched();
    BlockOwners owners = null;
    for (PlannedSection section : sections) {
      if (owners == null) {
        owners = BlockOwners.of(view.recovered(), targets(sections));
      }
      for (long i = firstShown(section); i < section.entries(); i++) {
        rows.add(facts(section, section.entry(i), owners, now));
      }
    }
    return rows;
  }

  private long firstShown(PlannedSection section) {
    return Math.max(0, section.entries() - entriesMax);
  }

  private Set<Long> targets(List<PlannedSection> sections) {
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

  private static Facts facts(
      PlannedSection section, ScannedEntry entry, BlockOwners owners, Memory now) {
    boolean isStore = entry.kind() != Kind.DEPENDENCY;
    return new Facts()
        .put("section", name(section))
        .put("stamp", entry.stamp())
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
