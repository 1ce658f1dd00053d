package io.holdfast.stress;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// A temporary directory for stores, which is deleted if all went well.
final class Scratch {
  private final Path directory;

  Scratch(String prefix) {
    try {
      directory = Files.createTempDirectory(prefix);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "no temporary directory: java.io.tmpdir=" + System.getProperty("java.io.tmpdir"), e);
    }
  }

  Path directory() {
    return directory;
  }

  void delete() {
    try (Stream<Path> files = Files.walk(directory)) {
      List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
      for (Path file : deepestFirst) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("a temporary directory can't be deleted: " + directory, e);
    }
  }
}
