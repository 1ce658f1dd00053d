package io.holdfast.core.persistence;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;

/// The domain of a disk whose region has a log: the region is mapped for this process alone, so
/// that the system writes nothing of it to the file by itself. What is stored becomes durable by
/// the log, and a flush or a fence of a line is nothing; counted are the log's writes.
public final class LoggedDisk extends CountedDomain {
  /// A log's pages are numbered by an `int`.
  private static final long BYTES_MAX = (long) Integer.MAX_VALUE << 12;

  private final Path file;

  /// @param file the region's
  public LoggedDisk(Path file) {
    this.file = file;
  }

  @Override
  public MemorySegment map(FileChannel channel, long start, long length, Arena arena)
      throws IOException {
    if (start + length > BYTES_MAX) {
      throw new IOException(
          "an image is at most %d bytes long: open it for PROCESS_CRASH".formatted(BYTES_MAX));
    }
    try {
      return channel.map(MapMode.PRIVATE, start, length, arena);
    } catch (IOException e) {
      if (!(e.getCause() instanceof OutOfMemoryError)) {
        throw e;
      }
      return mapUncounted(start, length, arena, e);
    }
  }

  private MemorySegment mapUncounted(long start, long length, Arena arena, IOException refused)
      throws IOException {
    IOException cause = refused;
    if (UncountedMapping.isPossible()) {
      try {
        return UncountedMapping.of(file, start, length, arena);
      } catch (IOException e) {
        cause = e; // vm.overcommit_memory is 2, say
      }
    }
    throw new IOException(
        "an image of %d bytes is more than memory and swap allow: run it with --enable-native-access=ALL-UNNAMED, have vm.overcommit_memory be 1, or open it for PROCESS_CRASH"
            .formatted(length),
        cause);
  }

  @Override
  public boolean isPrivate() {
    return true;
  }

  @Override
  public void flush(MemorySegment segment, long offset, long length) {
    // It is in the log, or will be.
  }

  @Override
  public void fence() {
    // Nothing was started.
  }

  /// Counts a write to the log, which has waited for the device.
  public void written(long bytes) {
    tally.flushed(bytes / LINE_BYTES, bytes);
    tally.fenced();
  }

  @Override
  public String toString() {
    return "disk with a log";
  }
}
