package io.holdfast.jmh.count;

import io.holdfast.core.PersistenceCounts;
import io.holdfast.core.log.LogSlot;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.persistence.PersistenceDomain;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.util.concurrent.atomic.LongAdder;

/// Counts, and does nothing else: the same on every machine. What is flushed of the first logs is
/// counted apart: 26 of them, more than programs have threads; not what a long section logs beyond
/// its log's ring.
///
/// Thread-safe.
public final class CountingDomain extends PersistenceDomain {
  private final LongAdder flushes = new LongAdder();
  private final LongAdder fences = new LongAdder();
  private final LongAdder lines = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder logBytes = new LongAdder();
  private final LongAdder logLines = new LongAdder();

  @Override
  public void flush(MemorySegment segment, long offset, long length) {
    long end = (offset + length + LINE_BYTES - 1) / LINE_BYTES;
    flushes.increment();
    lines.add(end - offset / LINE_BYTES);
    bytes.add(length);
    if (offset >= RegionLayout.FIRST_SLOTS && offset < RegionLayout.SPAN_BYTES) {
      logBytes.add(length);
      if (isOfEntries(offset)) {
        logLines.add(end - offset / LINE_BYTES);
      }
    }
  }

  /// Whether an offset is in the entries of a section's log, one of the first.
  public static boolean isOfEntries(long offset) {
    return offset >= RegionLayout.FIRST_SLOTS
        && offset < RegionLayout.SPAN_BYTES
        && (offset - RegionLayout.FIRST_SLOTS) % LogSlot.BYTES >= LINE_BYTES;
  }

  @Override
  public void fence() {
    fences.increment();
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
    return new PersistenceCounts(flushes.sum(), fences.sum(), lines.sum(), bytes.sum());
  }

  /// Lines of entries that were written back: as a rule one for each entry, whose data wait for it.
  public long logLines() {
    return logLines.sum();
  }

  /// Bytes of logs that were flushed: entries, and the words that say that a section is durable.
  public long logBytes() {
    return logBytes.sum();
  }
}
