package io.holdfast.jmh;

import io.holdfast.core.PersistenceCounts;
import io.holdfast.core.persistence.PersistenceDomain;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;

/// Counts, and does nothing else: the same on every machine.
///
/// Confined to its thread.
final class CountingDomain extends PersistenceDomain {
  private long flushes;
  private long fences;
  private long lines;
  private long bytes;

  @Override
  public void flush(MemorySegment segment, long offset, long length) {
    long end = (offset + length + LINE_BYTES - 1) / LINE_BYTES;
    flushes++;
    lines += end - offset / LINE_BYTES;
    bytes += length;
  }

  @Override
  public void fence() {
    fences++;
  }

  @Override
  public MemorySegment map(FileChannel channel, long start, long length, Arena arena)
      throws IOException {
    return channel.map(FileChannel.MapMode.READ_WRITE, start, length, arena);
  }

  @Override
  public boolean survivesPowerFailure() {
    return true; // or nothing would be flushed
  }

  @Override
  public PersistenceCounts counts() {
    return new PersistenceCounts(flushes, fences, lines, bytes);
  }
}
