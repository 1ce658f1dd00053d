package io.holdfast.core.memory;

import io.holdfast.core.PersistenceCounts;
import io.holdfast.core.persistence.PageCache;
import io.holdfast.core.persistence.PersistenceDomain;
import io.holdfast.core.persistence.PersistenceEvent;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Supplier;

/// What a region's file lies on: how it becomes memory.
public interface Medium {
  /// Opens a file that is there and locked; its content stays as it is until the memory is {@link
  /// Memory#claim}ed.
  ///
  /// @throws UnsupportedOperationException if it can't, saying what would work
  /// @throws IOException if the system refuses
  Opened open(Path file) throws IOException;

  /// A file as memory.
  ///
  /// @param noted has the note of who has the region open, once it was claimed; `null` if there is
  ///   none
  /// @param counts what was made durable
  /// @param endReport ends the reporting of these
  record Opened(
      Memory memory,
      Supplier<MappedMemory> noted,
      Supplier<PersistenceCounts> counts,
      Runnable endReport) {}

  /// The page cache, which a crash of the process leaves as it is.
  static Medium pageCache() {
    return file -> inPageCache(file, new PageCache());
  }

  /// What the finder says of the file. In a domain that survives a loss of power, the file's name
  /// and all that was ever stored in it are durable when it is open, whatever it was opened to
  /// survive before; and the memory's stores become durable in order ({@link OrderedMemory}).
  ///
  /// @param mode when lines of data are flushed; nothing in a domain that survives process crashes
  ///   alone
  static Medium of(RegionFile.DomainFinder finder, FlushMode mode) {
    return file -> {
      PersistenceDomain domain = finder.domainOf(file);
      if (!domain.survivesPowerFailure()) {
        return inPageCache(file, domain);
      }
      force(file);
      MappedMemory mapped = new MappedMemory(file, Files.size(file), domain);
      domain.writeFoundBack(mapped.bytes); // FOUND-2
      return new Opened(
          mode.over(mapped), () -> mapped, domain::counts, PersistenceEvent.report(file, domain));
    };
  }

  private static Opened inPageCache(Path file, PersistenceDomain domain) throws IOException {
    MappedMemory mapped = new MappedMemory(file, Files.size(file), domain);
    return new Opened(mapped, () -> mapped, domain::counts, () -> {});
  }

  private static void force(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
    try (FileChannel directory = FileChannel.open(file.getParent(), StandardOpenOption.READ)) {
      directory.force(true);
    }
  }
}
