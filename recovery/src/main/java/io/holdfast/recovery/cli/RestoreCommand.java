package io.holdfast.recovery.cli;

import io.holdfast.recovery.FileBackup;
import io.holdfast.recovery.VerifyReport;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// A backup in place.
@Command(
    name = "restore",
    description = {
      "Verifies a backup, FILE, and copies it to where a store is wanted. The backup is not"
          + " changed, and nothing that exists is written over."
    })
final class RestoreCommand extends FactsCommand {
  @Mixin private ClassPath classPath;

  @Parameters(index = "1", paramLabel = "NEW", description = "the store, which must not exist")
  private Path to;

  @Override
  Path made() {
    return to;
  }

  @Override
  ExitCode run() {
    VerifyReport report = FileBackup.restore(file(), to, classPath.classes(), progress());
    print(new Facts().put("backup", file()).put("file", to));
    remark(report.summary());
    return ExitCode.SOUND;
  }
}
