package io.holdfast.core.persistence;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;

/// The domain of a disk whose region has a log: the region is mapped for this process alone, so
/// that the system writes nothing of it to the file by itself. What is stored becomes durable by
/// the log, and a flush or a fence of a line is nothing; counted are the log's writes.
public final class LoggedDisk extends CountedDomain {
  @Override
  public MemorySegment map(FileChannel channel, long start, long length, Arena arena)
      throws IOException {
    try {
      return channel.map(MapMode.PRIVATE, start, length, arena);
    } catch (IOException e) {
      if (e.getCause() instanceof OutOfMemoryError) {
        throw new IOException(
            "an image of %d bytes is more than memory and swap allow: have vm.overcommit_memory be 1, or open it for PROCESS_CRASH"
                .formatted(length),
            e);
      }
      throw e;
    }
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
