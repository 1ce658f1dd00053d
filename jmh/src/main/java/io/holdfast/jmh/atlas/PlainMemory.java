package io.holdfast.jmh.atlas;

import io.holdfast.core.memory.RegionLayout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;

/// A mapped file of a fixed length, and nothing else: what a program without durability is given.
/// No crash leaves anything useful in it.
///
/// Its blocks lie as those of a region do: aligned alike, and those of one size next to each other
/// in spans of 64 KiB. A freed block is the first to be used again; free blocks of a size are
/// linked through their first words, under a lock for each size. The largest block is a span.
///
/// Thread-safe as {@link ProgramMemory} is.
public class PlainMemory extends ProgramMemory {
  /// The largest program needs 50 MiB: 1,200 orders of some 11 rows of 3 KiB. What is not used
  /// takes no room on the disk.
  private static final int LENGTH = 80 << 20;

  /// Where the root is: 0 is null.
  private static final int ROOT = RegionLayout.PAGE_BYTES;

  private static final int SPAN_BYTES = RegionLayout.SPAN_BYTES;
  private static final int LINE_BYTES = RegionLayout.LINE_BYTES;

  /// Blocks are multiples of this.
  private static final int UNIT_BYTES = 16;

  private static final VarHandle WORDS =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();

  private final Path file;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment bytes;
  private final FreeList[] lists = new FreeList[SPAN_BYTES / UNIT_BYTES + 1];
  private final AtomicLong nextSpan = new AtomicLong();

  /// @param file created, and as long as it will ever be
  public PlainMemory(Path file) {
    this.file = file;
    try {
      Files.write(file, new byte[0]);
      try (FileChannel channel =
          FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
        bytes = channel.map(FileChannel.MapMode.READ_WRITE, 0, LENGTH, arena);
      }
    } catch (IOException e) {
      arena.close();
      throw new UncheckedIOException(e);
    }
    for (int units = 0; units < lists.length; units++) {
      lists[units] = new FreeList(units * UNIT_BYTES);
    }
  }

  /// The blocks of one size.
  private final class FreeList {
    private final int size;

    /// The first free block, whose first word is the next.
    private long first;

    /// Of the span that blocks are cut from.
    private long at;

    private long end;

    FreeList(int size) {
      this.size = size;
    }

    synchronized long allocate() {
      long block = first;
      if (block != 0) {
        first = (long) WORDS.get(bytes, block);
        return block;
      }
      if (at + size > end) {
        at = takeSpan();
        end = at + SPAN_BYTES;
      }
      block = at;
      at += size;
      return block;
    }

    synchronized void free(long block) {
      WORDS.set(bytes, block, first);
      first = block;
    }
  }

  private long takeSpan() {
    long span = nextSpan.getAndAdd(SPAN_BYTES);
    if (span + SPAN_BYTES > LENGTH) {
      throw new IllegalStateException("%s is full: length=%d bytes".formatted(file, LENGTH));
    }
    return span;
  }

  private FreeList list(int size) {
    int unit = size < LINE_BYTES ? UNIT_BYTES : LINE_BYTES;
    return lists[(size + unit - 1) / unit * unit / UNIT_BYTES];
  }

  @Override
  public long root(int size) {
    nextSpan.set((ROOT + (long) size + SPAN_BYTES - 1) / SPAN_BYTES * SPAN_BYTES);
    return ROOT;
  }

  @Override
  public long read(long offset) {
    return (long) WORDS.get(bytes, offset);
  }

  @Override
  public long readAcquire(long offset) {
    return (long) WORDS.getAcquire(bytes, offset);
  }

  @Override
  public void write(long offset, long value) {
    WORDS.setRelease(bytes, offset, value);
  }

  @Override
  public void writeNew(long offset, long value) {
    WORDS.set(bytes, offset, value);
  }

  @Override
  public void copyNew(long from, long to, int length) {
    MemorySegment.copy(bytes, from, bytes, to, length);
  }

  @Override
  public long allocate(int size) {
    return list(size).allocate();
  }

  @Override
  public void free(long block, int size) {
    list(size).free(block);
  }

  @Override
  public void acquired(Object lock) {
    // Nobody need know.
  }

  @Override
  public void releasing(Object lock) {
    // Nobody need know.
  }

  @Override
  public void close() {
    arena.close();
  }
}
