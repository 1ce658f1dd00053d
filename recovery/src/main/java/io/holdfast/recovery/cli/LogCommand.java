package io.holdfast.recovery.cli;

import io.holdfast.core.recovery.RecoveryPlan;
import io.holdfast.core.recovery.RecoveryPlan.Dependency;
import io.holdfast.core.recovery.RecoveryPlan.PlannedLog;
import io.holdfast.core.recovery.RecoveryPlan.PlannedSection;
import io.holdfast.core.recovery.Verdict;
import io.holdfast.recovery.RegionView;
import io.holdfast.recovery.cli.Facts.Offset;
import java.util.List;
import java.util.Locale;
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
final class LogCommand extends LookCommand {
  @Option(
      names = "--entries",
      paramLabel = "N",
      defaultValue = "20",
      description = "shows the last N entries of each section (default: ${DEFAULT-VALUE})")
  private long entriesMax;

  @Override
  ExitCode run() {
    checkRange("--entries", entriesMax, 0, Long.MAX_VALUE);
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
              .put("entries", new StoreFacts(view, sections, entriesMax).rows()));
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
        .put("section", StoreFacts.name(section))
        .put("verdict", section.row().verdict().name().toLowerCase(Locale.ROOT))
        .put("why", section.row().why())
        .put("entries", section.entries())
        .put("dependsOn", section.dependencies().stream().map(LogCommand::text).toList());
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
}
