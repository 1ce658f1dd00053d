package io.holdfast.recovery.cli;

import io.holdfast.recovery.TextExport;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// All that is in a region, as text.
@Command(
    name = "export",
    description = {
      "Writes all that is in a region as lines of JSON, which import of this version and later ones"
          + " reads: encoded bytes with the fingerprints of their codecs.",
      "The file is not changed. For decoded values: dump."
    })
final class ExportCommand extends RegionCommand {
  @Option(
      names = "--to",
      paramLabel = "TEXT",
      description = "the file to write, which must not exist; without it, standard output")
  private Path to;

  @Override
  Path made() {
    return to == null ? file() : to;
  }

  @Override
  ExitCode run() throws IOException {
    long entries;
    if (to == null) {
      entries = TextExport.export(file(), out(), progress());
    } else {
      entries = TextExport.export(file(), to, progress());
    }
    remark("entries exported: " + entries);
    return ExitCode.SOUND;
  }
}
