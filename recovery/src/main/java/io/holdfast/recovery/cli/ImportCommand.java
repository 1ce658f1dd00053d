package io.holdfast.recovery.cli;

import io.holdfast.core.RegionFormatException;
import io.holdfast.recovery.TextImport;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// A region made of an export.
@Command(
    name = "import",
    description = {
      "Makes a region of what export wrote. FILE must not exist; it has all, or is not made.",
      "A sorted map whose keys are of a class of yours needs that by --class-path."
    })
final class ImportCommand extends RegionCommand {
  @Mixin private ClassPath classPath;

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
            : opened()) {
      long entries = TextImport.read(text, file(), classPath.classes(), progress());
      remark("entries imported: %d; next: %s".formatted(entries, command("verify")));
    } catch (RegionFormatException e) {
      throw new RegionFormatException(
          "%s: %s".formatted(from == null ? "standard input" : from, e.getMessage()));
    } catch (CharacterCodingException e) {
      throw unreadable("it is not UTF-8", e);
    }
    return ExitCode.SOUND;
  }

  private BufferedReader opened() throws IOException {
    try {
      if (Files.isDirectory(from)) { // which can be opened, and not be read
        throw unreadable("it is a directory", null);
      }
      return Files.newBufferedReader(from);
    } catch (NoSuchFileException e) {
      throw unreadable("there is no such file", e);
    } catch (AccessDeniedException e) {
      throw unreadable("permission denied", e);
    }
  }

  private Refusal unreadable(String why, IOException cause) {
    return new Refusal(
        ExitCode.REFUSED,
        "%s: cannot be imported: %s. Name a text that export wrote".formatted(from, why),
        Refusals.look(from),
        cause);
  }
}
