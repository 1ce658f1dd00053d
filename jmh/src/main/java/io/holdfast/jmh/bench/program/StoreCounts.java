package io.holdfast.jmh.bench.program;

import io.holdfast.jmh.atlas.PlainMemory;
import io.holdfast.jmh.atlas.ProgramMemory;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/// A program's memory that counts what its sections store: words, sections, and the lines that a
/// section stores to, its write set. What is freed and allocated stores nothing here.
///
/// Of lines that were there before the section it counts what logs of lines would hold: ATOM's undo
/// records, and DHTM's redo log, which is written through a buffer of some lines (thesis, 4.4.3 and
/// 5.3), so that a line is logged again if it was pushed out.
///
/// Thread-safe.
final class StoreCounts extends ProgramMemory {
  private static final int LINE_BYTES = 64;

  /// Lines of a log buffer, as the thesis varies them; DHTM has the last.
  static final int[] BUFFERS = {1, 4, 16, 64};

  /// Lines of an undo record of ATOM's, besides the one that says which they are.
  static final int LINES_OF_RECORD = 7;

  private final ProgramMemory memory;
  private final LongAdder words = new LongAdder();
  private final LongAdder sections = new LongAdder();
  private final LongAdder lines = new LongAdder();
  private final LongAdder oldLines = new LongAdder();
  private final LongAdder undoRecords = new LongAdder();
  private final LongAdder[] redoLines = new LongAdder[BUFFERS.length];

  /// Locks that a thread holds, and what it stored to since the first.
  private static final class Held {
    private final Set<Long> lines = new HashSet<>();
    private final Set<Long> oldLines = new HashSet<>();

    /// Lines of blocks that it allocated.
    private final Set<Long> newLines = new HashSet<>();

    /// The lines that are in each buffer, the one that was stored to longest ago first.
    private final List<SequencedSet<Long>> buffers =
        Arrays.stream(BUFFERS).<SequencedSet<Long>>mapToObj(_ -> new LinkedHashSet<>()).toList();

    private int locks;
  }

  private final ThreadLocal<Held> held = ThreadLocal.withInitial(Held::new);

  StoreCounts(Path file) {
    memory = new PlainMemory(file);
    Arrays.setAll(redoLines, _ -> new LongAdder());
  }

  long words() {
    return words.sum();
  }

  long sections() {
    return sections.sum();
  }

  long lines() {
    return lines.sum();
  }

  /// Lines that sections stored to, and that were there before.
  long oldLines() {
    return oldLines.sum();
  }

  long undoRecords() {
    return undoRecords.sum();
  }

  /// Lines that were written to a redo log.
  ///
  /// @param buffer in the order of {@link #BUFFERS}
  long redoLines(int buffer) {
    return redoLines[buffer].sum();
  }

  /// A line that was there before is stored to.
  private void storedOld(Held own, long line) {
    own.oldLines.add(line);
    for (int i = 0; i < BUFFERS.length; i++) {
      SequencedSet<Long> buffer = own.buffers.get(i);
      if (buffer.add(line)) {
        redoLines[i].increment(); // it is written later, once
      } else {
        buffer.addLast(line);
      }
      if (buffer.size() > BUFFERS[i]) {
        buffer.removeFirst();
      }
    }
  }

  private void stored(long offset, int bytes) {
    words.add(bytes / Long.BYTES);
    Set<Long> stored = held.get().lines;
    for (long line = offset / LINE_BYTES; line <= (offset + bytes - 1) / LINE_BYTES; line++) {
      stored.add(line);
    }
  }

  @Override
  public long root(int bytes) {
    return memory.root(bytes);
  }

  @Override
  public long read(long offset) {
    return memory.read(offset);
  }

  @Override
  public long readAcquire(long offset) {
    return memory.readAcquire(offset);
  }

  @Override
  public void write(long offset, long value) {
    stored(offset, Long.BYTES);
    Held own = held.get();
    if (!own.newLines.contains(offset / LINE_BYTES)) {
      storedOld(own, offset / LINE_BYTES);
    }
    memory.write(offset, value);
  }

  @Override
  public void writeNew(long offset, long value) {
    stored(offset, Long.BYTES);
    memory.writeNew(offset, value);
  }

  @Override
  public void copyNew(long from, long to, int bytes) {
    stored(to, bytes);
    memory.copyNew(from, to, bytes);
  }

  @Override
  public long allocate(int bytes) {
    long block = memory.allocate(bytes);
    Set<Long> lines = held.get().newLines;
    for (long line = block / LINE_BYTES; line <= (block + bytes - 1) / LINE_BYTES; line++) {
      lines.add(line);
    }
    return block;
  }

  @Override
  public void free(long block, int bytes) {
    memory.free(block, bytes);
  }

  @Override
  public void acquired(Object lock) {
    held.get().locks++;
    memory.acquired(lock);
  }

  @Override
  public void releasing(Object lock) {
    memory.releasing(lock);
    Held own = held.get();
    if (--own.locks == 0) {
      sections.increment();
      lines.add(own.lines.size());
      own.lines.clear();
      oldLines.add(own.oldLines.size());
      undoRecords.add(Math.ceilDiv(own.oldLines.size(), LINES_OF_RECORD));
      own.oldLines.clear();
      own.newLines.clear();
      own.buffers.forEach(SequencedSet::clear);
    }
  }

  @Override
  public void close() {
    memory.close();
  }
}
