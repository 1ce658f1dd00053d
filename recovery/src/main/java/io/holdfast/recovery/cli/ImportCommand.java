package io.holdfast.recovery.cli;

import io.holdfast.recovery.TextImport;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// A region made of an export.
@Command(
    name = "import",
    description = {
      "Makes a region of what export wrote. FILE must not exist; it has all, or is not made.",
      "A sorted map whose keys are of a class of yours needs that by --class-path."
    })
final class ImportCommand extends RegionCommand {
  @Option(
      names = "--from",
      paramLabel = "TEXT",
      description = "the file to read; without it, standard input")
  private Path from;

  @Override
  ExitCode run() throws IOException {
    try (BufferedReader text =
        from == null
            ? new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
            : Files.newBufferedReader(from)) {
      long entries = TextImport.read(text, file(), classes(), progress());
      remark("entries imported: %d; next: %s".formatted(entries, command("verify")));
    }
    return ExitCode.SOUND;
  }
}
