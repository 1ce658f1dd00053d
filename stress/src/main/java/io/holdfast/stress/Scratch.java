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
    this(Path.of(System.getProperty("java.io.tmpdir")), prefix);
  }

  private Scratch(Path parent, String prefix) {
    try {
      directory = Files.createTempDirectory(parent, prefix);
    } catch (IOException e) {
      throw new UncheckedIOException("no temporary directory: in=" + parent, e);
    }
  }

  /// One in main memory, where the system has such a place: for many small files.
  static Scratch inMemory(String prefix) {
    Path memory = Path.of("/dev/shm");
    return Files.isWritable(memory) ? new Scratch(memory, prefix) : new Scratch(prefix);
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
