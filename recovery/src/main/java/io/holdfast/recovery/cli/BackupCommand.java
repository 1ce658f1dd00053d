package io.holdfast.recovery.cli;

import io.holdfast.recovery.FileBackup;
import io.holdfast.recovery.cli.Facts.Bytes;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// A copy of a region.
@Command(
    name = "backup",
    description = {
      "Copies a region that is not in use. The copy is recovered, if the region was not closed, and"
          + " closed; the region is not changed.",
      "A program backs up its own store while it is in use: Holdfast.backup."
    })
final class BackupCommand extends RegionCommand {
  @Parameters(index = "1", paramLabel = "NEW", description = "the copy, which must not exist")
  private Path to;

  @Override
  ExitCode run() {
    long bytes = FileBackup.backup(file(), to, progress());
    print(new Facts().put("file", file()).put("backup", to).put("length", new Bytes(bytes)));
    remark("next: holdfast verify " + Refusals.quoted(to));
    return ExitCode.SOUND;
  }
}
