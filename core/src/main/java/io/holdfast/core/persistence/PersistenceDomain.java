package io.holdfast.core.persistence;

import io.holdfast.core.PersistenceCounts;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;

/// Where a store has to arrive to survive the failure in question, and how it is brought there: by
/// a flush, which starts, and a fence, which waits.
///
/// What holds is PCSO (CSO paper, section 2): a store is durable when a flush of its line followed
/// it and a fence of the same thread followed that; stores to one line become durable in the order
/// in which they reach the cache, flushed or not; between lines there is no order without a flush
/// and a fence.
///
/// Each region has a domain of its own. Thread-safe; a fence waits for the flushes of its own
/// thread.
public abstract class PersistenceDomain {
  /// A cache line: the unit of a write-back.
  public static final int LINE_BYTES = 64;

  /// Maps a part of a region's file so that it can be flushed here.
  ///
  /// @param arena decides how long the segment can be accessed
  public abstract MemorySegment map(FileChannel channel, long start, long length, Arena arena)
      throws IOException;

  /// Starts writing back the lines that hold some bytes of a mapped segment.
  public abstract void flush(MemorySegment segment, long offset, long length);

  /// Waits until everything that this thread flushed is durable.
  public abstract void fence();

  /// Whether what was flushed and fenced survives a loss of power, so that what the file system
  /// keeps about the file has to as well. If not, a flush is nothing and need not be asked for.
  public abstract boolean survivesPowerFailure();

  /// Whether what is stored to a mapping is this process's alone, and gets to the file by other
  /// ways.
  public boolean isPrivate() {
    return false;
  }

  /// What was counted so far.
  public abstract PersistenceCounts counts();
}
