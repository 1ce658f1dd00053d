package io.holdfast.recovery.cli;

import io.holdfast.recovery.Compaction;
import io.holdfast.recovery.cli.Facts.Bytes;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// A region without free space, made of another one.
@Command(
    name = "compact",
    description = {
      "Copies all that is in a region to a new one, without the free space between. The old one is"
          + " not changed.",
      "A sorted map whose keys are of a class of yours needs that by --class-path."
    })
final class CompactCommand extends FactsCommand {
  @Mixin private ClassPath classPath;

  @Parameters(index = "1", paramLabel = "NEW", description = "the new file, which must not exist")
  private Path to;

  @Override
  Path made() {
    return to;
  }

  @Override
  ExitCode run() throws IOException {
    Compaction.Report report = Compaction.compact(file(), to, classPath.classes(), progress());
    print(
        new Facts()
            .put("file", file())
            .put("new", to)
            .put("roots", report.roots())
            .put("entries", report.entries())
            .put("lengthBefore", new Bytes(report.bytesBefore()))
            .put("lengthAfter", new Bytes(report.bytesAfter())));
    return ExitCode.SOUND;
  }
}
