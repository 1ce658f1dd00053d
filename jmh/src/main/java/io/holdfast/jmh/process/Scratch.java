package io.holdfast.jmh.process;

import io.holdfast.core.memory.MappedMemory;
import io.holdfast.core.memory.RegionFile.DomainFinder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// A directory for a benchmark's files, in the system's directory for temporary ones
/// (`java.io.tmpdir`), which goes when the benchmark does. Everybody who writes files writes them
/// here, so that all meet the same file system.
public final class Scratch implements AutoCloseable {
  private final Path directory;

  public Scratch() {
    try {
      directory = Files.createTempDirectory("holdfast-jmh-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public Path directory() {
    return directory;
  }

  public Path file(String name) {
    return directory.resolve(name);
  }

  /// A new file of zeros, as memory.
  ///
  /// @param finder of how it is made durable
  public MappedMemory memory(long bytes, DomainFinder finder) {
    try {
      Path file = Files.createTempFile(directory, "memory-", "");
      Files.write(file, new byte[Math.toIntExact(bytes)]);
      return new MappedMemory(file, bytes, finder.domainOf(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Deletes a directory and what is in it.
  public static void delete(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
      for (Path file : deepestFirst) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    delete(directory);
  }
}
