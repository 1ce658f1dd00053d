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

  /// Flushed at a time of what is found in a file: a call that took longer would keep the JVM from
  /// its safepoints.
  private static final long PIECE_BYTES = 1 << 20;

  /// Maps a part of a region's file so that it can be flushed here.
  ///
  /// @param arena decides how long the segment can be accessed
  public abstract MemorySegment map(FileChannel channel, long start, long length, Arena arena)
      throws IOException;

  /// Starts writing back the lines that hold some bytes of a mapped segment.
  public abstract void flush(MemorySegment segment, long offset, long length);

  /// Waits until everything that this thread flushed is durable.
  public abstract void fence();

  /// Makes durable what a mapped file has, before anything of it is read; nothing where a sync of
  /// the file has done that.
  ///
  /// **FOUND-2** What an opening finds in a file may be in the processor's caches alone: the
  /// process that stored it was killed before it wrote it back, or had no reason to. A loss of
  /// power would take it, and leave what is built on it. On DAX a sync of the file has such lines
  /// written back. On memory that is declared to be persistent it does not, so there an opening
  /// writes back every line of the file. Tests:
  /// FoundLinesTest.found2WhatTheNextProcessHasSeenIsDurable,
  /// MemoryDiskTest.found2WhatAFileHasIsWrittenBackOnce.
  ///
  /// @param mapping of the file, by this domain
  public final void writeFoundBack(MemorySegment mapping) {
    if (!syncWritesLinesBack()) {
      long end = mapping.byteSize();
      for (long at = 0; at < end; at += PIECE_BYTES) {
        flush(mapping, at, Math.min(PIECE_BYTES, end - at));
      }
      fence();
    }
  }

  /// Whether a sync of a file makes durable what is in the processor's caches of its mappings,
  /// whoever has stored it; also where there is nothing to write back.
  protected boolean syncWritesLinesBack() {
    return true;
  }

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
