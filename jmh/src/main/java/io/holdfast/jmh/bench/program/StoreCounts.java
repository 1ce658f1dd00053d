package io.holdfast.jmh.bench.program;

import io.holdfast.jmh.atlas.PlainMemory;
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
/// 5.3), so that a line is logged again if it was pushed out; and that log of all lines, too, since
/// hardware does not know which are new.
///
/// Thread-safe.
final class StoreCounts extends PlainMemory {
  private static final int LINE_BYTES = 64;

  /// Lines of a log buffer, as the thesis varies them (Figure 5.7); DHTM has 64.
  static final int[] BUFFERS = {1, 4, 16, 64, 128};

  /// Lines of an undo record of ATOM's, besides the one that says which they are.
  static final int LINES_OF_RECORD = 7;

  private final LongAdder words = new LongAdder();
  private final LongAdder sections = new LongAdder();
  private final LongAdder lines = new LongAdder();
  private final LongAdder oldLines = new LongAdder();
  private final LongAdder undoRecords = new LongAdder();
  private final LongAdder[] redoLines = adders();
  private final LongAdder[] redoLinesOfAll = adders();

  /// Locks that a thread holds, and what it stored to since the first.
  private static final class Held {
    private final Set<Long> lines = new HashSet<>();
    private final Set<Long> oldLines = new HashSet<>();

    /// Lines of blocks that it allocated.
    private final Set<Long> newLines = new HashSet<>();

    private final Buffers buffers = new Buffers();
    private final Buffers buffersOfAll = new Buffers();
    private int locks;
  }

  private final ThreadLocal<Held> held = ThreadLocal.withInitial(Held::new);

  StoreCounts(Path file) {
    super(file);
  }

  private static LongAdder[] adders() {
    return Arrays.stream(BUFFERS).mapToObj(_ -> new LongAdder()).toArray(LongAdder[]::new);
  }

  /// Log buffers of each size. The lines in one are in the order of their last stores.
  private static final class Buffers {
    private final List<SequencedSet<Long>> buffers =
        Arrays.stream(BUFFERS).<SequencedSet<Long>>mapToObj(_ -> new LinkedHashSet<>()).toList();

    /// A line is stored to.
    ///
    /// @param logged counts the lines that each writes
    void stored(long line, LongAdder[] logged) {
      for (int i = 0; i < BUFFERS.length; i++) {
        SequencedSet<Long> buffer = buffers.get(i);
        if (buffer.add(line)) {
          logged[i].increment(); // it is written later, once
        } else {
          buffer.addLast(line);
        }
        if (buffer.size() > BUFFERS[i]) {
          buffer.removeFirst();
        }
      }
    }

    void clear() {
      buffers.forEach(SequencedSet::clear);
    }
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

  /// Lines that were written to a redo log, by {@link #BUFFERS}.
  ///
  /// @param ofAll those of new lines, too
  long[] redoLines(boolean ofAll) {
    return Arrays.stream(ofAll ? redoLinesOfAll : redoLines).mapToLong(LongAdder::sum).toArray();
  }

  private void stored(long offset, int bytes) {
    words.add(bytes / Long.BYTES);
    Held own = held.get();
    for (long line = offset / LINE_BYTES; line <= (offset + bytes - 1) / LINE_BYTES; line++) {
      own.lines.add(line);
      own.buffersOfAll.stored(line, redoLinesOfAll);
    }
  }

  @Override
  public void write(long offset, long value) {
    stored(offset, Long.BYTES);
    Held own = held.get();
    if (!own.newLines.contains(offset / LINE_BYTES)) {
      own.oldLines.add(offset / LINE_BYTES);
      own.buffers.stored(offset / LINE_BYTES, redoLines);
    }
    super.write(offset, value);
  }

  @Override
  public void writeNew(long offset, long value) {
    stored(offset, Long.BYTES);
    super.writeNew(offset, value);
  }

  @Override
  public void copyNew(long from, long to, int bytes) {
    stored(to, bytes);
    super.copyNew(from, to, bytes);
  }

  @Override
  public long allocate(int bytes) {
    long block = super.allocate(bytes);
    Set<Long> lines = held.get().newLines;
    for (long line = block / LINE_BYTES; line <= (block + bytes - 1) / LINE_BYTES; line++) {
      lines.add(line);
    }
    return block;
  }

  @Override
  public void acquired(Object lock) {
    held.get().locks++;
  }

  @Override
  public void releasing(Object lock) {
    Held own = held.get();
    if (--own.locks == 0) {
      sections.increment();
      lines.add(own.lines.size());
      own.lines.clear();
      oldLines.add(own.oldLines.size());
      undoRecords.add(Math.ceilDiv(own.oldLines.size(), LINES_OF_RECORD));
      own.oldLines.clear();
      own.newLines.clear();
      own.buffers.clear();
      own.buffersOfAll.clear();
    }
  }
}
