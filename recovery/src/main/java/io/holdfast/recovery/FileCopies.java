package io.holdfast.recovery;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// What is done to whole files that are made.
final class FileCopies {
  private FileCopies() {}

  /// Makes a file, or what a directory lists, durable.
  static void force(Path path) throws IOException {
    // A directory can't be opened for writing; syncing one that is open for reading does it.
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /// The lock file beside a region.
  static Path companion(Path region) {
    return region.resolveSibling(region.getFileName() + ".lock");
  }

  /// Deletes what is of no use; if that fails, says so in the log.
  static void deleteQuietly(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      System.getLogger("io.holdfast").log(Level.WARNING, path + ": cannot delete it", e);
    }
  }
}
