package io.holdfast.core.persistence;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
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
///
/// **FAULT-2** A write-back of a page that is missing, because another program truncated the file,
/// ends the JVM (SIGBUS in code that is not its own). So each page is read before, which is an
/// `InternalError` if it is missing; and since compiled code throws that at the next safepoint
/// alone, there is one between the two. What is left is a truncation within these few instructions.
/// Test: TruncationTest.writingBackAPageThatIsMissing.
@SuppressWarnings("restricted") // what it is for
final class CacheLine extends CountedDomain {
  private static final long LINE_MASK = LINE_BYTES - 1;

  /// The smallest page of the systems there are.
  private static final long PAGE_BYTES = 4096;

  /// All of it, since a write-back is possible when the view that it was asked for is closed.
  private static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private final MapMode mode;
  private final WriteBack lines;
  private final String by;
  private final List<MemorySegment> mappings = new ArrayList<>();

  /// What was read last, so that the reading is not left out.
  private byte touched;

  /// Volatile, so that no compiler knows how often {@link #passSafepoint} goes round.
  private static volatile int rounds = 2, step = 1;

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
      touch(address, length);
      long before = address & LINE_MASK;
      lines.writeBack(address - before, length + before);
      tally.flushed((length + before + LINE_MASK) / LINE_BYTES, length);
      // The mapping is there until here: it is this object's.
      Reference.reachabilityFence(this);
    }
  }

  private void touch(long address, long length) {
    for (long at = address & -PAGE_BYTES; at < address + length; at += PAGE_BYTES) {
      touched = MEMORY.get(ValueLayout.JAVA_BYTE, Math.max(at, address));
    }
    passSafepoint();
  }

  /// Goes round once: a loop whose end is not known has a safepoint at its end.
  private static void passSafepoint() {
    int left = rounds;
    do {
      left -= step;
    } while (left > 0);
  }

  @Override
  public void fence() {
    lines.fence();
    tally.fenced();
  }

  @Override
  protected boolean syncWritesLinesBack() {
    return !mode.equals(MapMode.READ_WRITE);
  }

  @Override
  public String toString() {
    return "cache line by " + by;
  }
}
