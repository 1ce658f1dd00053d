package io.holdfast.core.persistence;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.util.ArrayList;
import java.util.List;

/// The domain of persistent memory: a store is durable when its cache line was written back, by an
/// instruction of the processor's ({@link MachineCode}).
///
/// A write-back is given an address, so it must not happen on memory that is no longer mapped. The
/// mapping therefore belongs to the garbage collector, and is there as long as this domain is; what
/// the arena ends is access through a view of it.
@SuppressWarnings("restricted") // what it is for
public final class CacheLine extends CountedDomain {
  private static final long LINE_MASK = LINE_BYTES - 1;

  private final MapMode mode;
  private final WriteBack lines;
  private final String by;
  private final List<MemorySegment> mappings = new ArrayList<>();

  /// @param mode `READ_WRITE_SYNC` on DAX, so that the file system's own data are durable as well
  /// @param by what writes the lines back, for humans
  CacheLine(MapMode mode, WriteBack lines, String by) {
    this.mode = mode;
    this.lines = lines;
    this.by = by;
  }

  @Override
  public MemorySegment map(FileChannel channel, long start, long length, Arena arena)
      throws IOException {
    MemorySegment mapping = channel.map(mode, start, length, Arena.ofAuto());
    synchronized (mappings) {
      mappings.add(mapping);
    }
    return MemorySegment.ofAddress(mapping.address()).reinterpret(length, arena, null);
  }

  @Override
  public void flush(MemorySegment segment, long offset, long length) {
    if (length > 0) {
      long address = segment.address() + offset;
      long before = address & LINE_MASK;
      lines.writeBack(address - before, length + before);
      tally.flushed((length + before + LINE_MASK) / LINE_BYTES, length);
      // The mapping is there until here: it is this object's.
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public void fence() {
    lines.fence();
    tally.fenced();
  }

  @Override
  public String toString() {
    return "cache line by " + by;
  }
}
