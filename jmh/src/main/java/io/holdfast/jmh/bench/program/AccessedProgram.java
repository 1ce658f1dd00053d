package io.holdfast.jmh.bench.program;

import io.holdfast.jmh.atlas.PlainMemory;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;

/// A program's memory that tells {@link SectionAccesses} what the sections of each thread do.
///
/// An object is a block, and of a larger one the part of {@link #OBJECT_BYTES} that is stored to:
/// as large as the programs' entries, for a root may be a whole table.
///
/// Thread-safe.
final class AccessedProgram extends PlainMemory {
  static final int OBJECT_BYTES = 512;

  private final ConcurrentSkipListMap<Long, Integer> blocks = new ConcurrentSkipListMap<>();
  private SectionAccesses.Sum sum = new SectionAccesses.Sum();

  /// Locks that a thread holds, and what its section did.
  private static final class Held {
    private final SectionAccesses section = new SectionAccesses();
    private final Set<Long> allocated = new HashSet<>();
    private int locks;
  }

  private final ThreadLocal<Held> held = ThreadLocal.withInitial(Held::new);

  AccessedProgram(Path file) {
    super(file);
  }

  /// Counts from here on, while nobody is in a section.
  void restart() {
    sum = new SectionAccesses.Sum();
  }

  SectionAccesses.Sum sum() {
    return sum;
  }

  private void readBy(Held own, long offset) {
    if (own.locks > 0) {
      own.section.read(offset);
    }
  }

  @Override
  public long root(int bytes) {
    long root = super.root(bytes);
    blocks.put(root, bytes);
    return root;
  }

  @Override
  public long read(long offset) {
    readBy(held.get(), offset);
    return super.read(offset);
  }

  @Override
  public long readAcquire(long offset) {
    readBy(held.get(), offset);
    return super.readAcquire(offset);
  }

  @Override
  public void write(long offset, long value) {
    Held own = held.get();
    Map.Entry<Long, Integer> block = blocks.floorEntry(offset);
    if (own.allocated.contains(block.getKey())) {
      own.section.storeNew(offset);
    } else {
      long part = (offset - block.getKey()) / OBJECT_BYTES * OBJECT_BYTES;
      own.section.storeOld(
          offset, block.getKey() + part, Math.min(OBJECT_BYTES, block.getValue() - part));
    }
    super.write(offset, value);
  }

  @Override
  public void writeNew(long offset, long value) {
    held.get().section.storeNew(offset);
    super.writeNew(offset, value);
  }

  @Override
  public void copyNew(long from, long to, int bytes) {
    Held own = held.get();
    for (int done = 0; done < bytes; done += Long.BYTES) {
      readBy(own, from + done);
      own.section.storeNew(to + done);
    }
    super.copyNew(from, to, bytes);
  }

  @Override
  public long allocate(int bytes) {
    long block = super.allocate(bytes);
    blocks.put(block, bytes);
    held.get().allocated.add(block);
    return block;
  }

  @Override
  public void free(long block, int bytes) {
    blocks.remove(block);
    super.free(block, bytes);
  }

  @Override
  public void acquired(Object lock) {
    Held own = held.get();
    own.locks++;
    own.section.lock();
  }

  @Override
  public void releasing(Object lock) {
    Held own = held.get();
    if (--own.locks == 0) {
      own.section.end(sum);
      own.allocated.clear();
    }
  }
}
