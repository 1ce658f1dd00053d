package io.holdfast.recovery.cli;

import io.holdfast.Holdfast;
import io.holdfast.core.RecoveryReport;
import io.holdfast.core.RecoveryReport.Outcome;
import io.holdfast.core.RegionAccessException;
import io.holdfast.core.recovery.RecoveryPlan;
import io.holdfast.core.recovery.Verdict;
import io.holdfast.recovery.RegionView;
import java.nio.file.Files;
import picocli.CommandLine.Command;

/// Recovery, done.
@Command(
    name = "recover",
    description = {
      "Does what the next opening would do by itself: takes a region that was not closed back to"
          + " its last consistent cut, closes it, and reports.",
      "A region that is closed is opened and closed."
    })
final class RecoverCommand extends FactsCommand {
  @Override
  String nextIfInUse() {
    return command("stat");
  }

  @Override
  boolean isOnlyRead() {
    return false;
  }

  @Override
  ExitCode run() {
    if (!Files.exists(file())) {
      // Opening would create it.
      throw new RegionAccessException(file() + ": there is no such file");
    }
    long planned;
    try (RegionView view = RegionView.open(file())) {
      RecoveryPlan plan = view.plan();
      planned = view.needsRecovery() ? plan.count(Verdict.UNDO) : 0;
    }
    RecoveryReport report;
    try (Holdfast store = Holdfast.open(file())) {
      report = store.recovery();
    }
    print(
        new Facts()
            .put("file", file())
            .put("planned", planned)
            .put("report", InfoCommand.facts(report)));
    if (report.outcome() != Outcome.RECOVERED) {
      remark("there was nothing to recover: the region had been closed");
    }
    return ExitCode.SOUND;
  }
}
