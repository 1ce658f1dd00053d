package io.holdfast.recovery.cli;

import io.holdfast.recovery.Salvage;
import io.holdfast.recovery.SalvageReport;
import io.holdfast.recovery.SalvageReport.Loss;
import io.holdfast.recovery.SalvageReport.SalvagedRoot;
import io.holdfast.recovery.cli.Facts.Offset;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// What can be read of a damaged region, in a new one.
@Command(
    name = "salvage",
    description = {
      "Copies what is readable of a damaged region to a new one, and lists what was lost. The old"
          + " one is not changed.",
      "Entries have no checksums: look at what came out. The exit code is 7 if something was lost."
    })
final class SalvageCommand extends FactsCommand {
  @Mixin private ClassPath classPath;

  @Parameters(index = "1", paramLabel = "NEW", description = "the new file, which must not exist")
  private Path to;

  @Override
  Path made() {
    return to;
  }

  @Override
  String nextIfDamaged() {
    return "holdfast restore --help";
  }

  @Override
  ExitCode run() throws IOException {
    SalvageReport report = Salvage.salvage(file(), to, classPath.classes(), progress());
    print(
        new Facts()
            .put("file", file())
            .put("new", to)
            .put("roots", report.roots().stream().map(SalvageCommand::facts).toList())
            .put("lossesFound", report.lossesFound())
            .put("losses", report.losses().stream().map(SalvageCommand::facts).toList()));
    remark(report.summary() + "; next: holdfast verify " + Refusals.quoted(to));
    return report.lossesFound() == 0 ? ExitCode.SOUND : ExitCode.INCOMPLETE;
  }

  private static Facts facts(SalvagedRoot root) {
    return new Facts()
        .put("name", root.name())
        .put("kind", root.kind())
        .put("entries", root.entries());
  }

  private static Facts facts(Loss loss) {
    return new Facts()
        .put("offset", new Offset(loss.offset()))
        .put("path", loss.path())
        .put("message", loss.message());
  }
}
