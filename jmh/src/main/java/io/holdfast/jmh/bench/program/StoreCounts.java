package io.holdfast.jmh.bench.program;

import io.holdfast.jmh.atlas.PlainMemory;
import io.holdfast.jmh.atlas.ProgramMemory;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/// A program's memory that counts what its sections store: words, sections, and the lines that a
/// section stores to, its write set. What is freed and allocated stores nothing here.
///
/// Thread-safe.
final class StoreCounts extends ProgramMemory {
  private static final int LINE_BYTES = 64;

  private final ProgramMemory memory;
  private final LongAdder words = new LongAdder();
  private final LongAdder sections = new LongAdder();
  private final LongAdder lines = new LongAdder();

  /// Locks that a thread holds, and what it stored to since the first.
  private static final class Held {
    private final Set<Long> lines = new HashSet<>();
    private int locks;
  }

  private final ThreadLocal<Held> held = ThreadLocal.withInitial(Held::new);

  StoreCounts(Path file) {
    memory = new PlainMemory(file);
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
    return memory.allocate(bytes);
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
    }
  }

  @Override
  public void close() {
    memory.close();
  }
}
