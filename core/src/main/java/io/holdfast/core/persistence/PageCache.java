package io.holdfast.core.persistence;

import io.holdfast.core.PersistenceCounts;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;

/// The domain of `PROCESS_CRASH`: what has reached the cache is in a page of the kernel's, which
/// stays when the process dies. There is nothing to flush and nothing to wait for, and nothing is
/// counted.
public final class PageCache extends PersistenceDomain {
  @Override
  public MemorySegment map(FileChannel channel, long start, long length, Arena arena)
      throws IOException {
    return channel.map(MapMode.READ_WRITE, start, length, arena);
  }

  @Override
  public void flush(MemorySegment segment, long offset, long length) {
    // It is where it has to be.
  }

  @Override
  public void fence() {
    // Nothing was started.
  }

  @Override
  public boolean survivesPowerFailure() {
    return false;
  }

  @Override
  public PersistenceCounts counts() {
    return PersistenceCounts.NONE;
  }

  @Override
  public String toString() {
    return "page cache";
  }
}
