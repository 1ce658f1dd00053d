package io.holdfast.jmh.bench.program;

import io.holdfast.core.log.UndoEntry.Kind;
import io.holdfast.core.memory.ForwardingMemory;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionLayout;
import java.util.HashSet;
import java.util.Set;

/// A store's memory that tells {@link SectionAccesses} what a section of the collections does, by
/// its undo entries: a word that has one was there before. An object is an aligned part of {@link
/// AccessedProgram#OBJECT_BYTES}, since the collections' own blocks are larger.
///
/// For one thread.
final class AccessedStore extends ForwardingMemory {
  private static final long NONE = -1;

  private final SectionAccesses section = new SectionAccesses();
  private final Set<Long> logged = new HashSet<>();

  /// Read last; not by the section, if an entry of the word follows, for then the log has read it.
  private long pending = NONE;

  /// The thread whose operation is counted; a store has others that look at its file.
  private Thread counting;

  /// Entries of other kinds: bits of the heap, ranges.
  private long otherEntries;

  AccessedStore(Memory bytes) {
    super(bytes);
  }

  /// Counts an operation.
  void count(Runnable operation, SectionAccesses.Sum sum) {
    counting = Thread.currentThread();
    section.lock();
    try {
      operation.run();
    } finally {
      counting = null;
    }
    flushRead();
    section.end(sum);
    logged.clear();
  }

  long otherEntries() {
    return otherEntries;
  }

  private boolean isCounting() {
    return counting == Thread.currentThread();
  }

  private static boolean isOfLog(long offset) {
    return offset >= RegionLayout.FIRST_SLOTS && offset < RegionLayout.SPAN_BYTES;
  }

  private void read(long offset, long length) {
    if (!isCounting()) {
      return;
    }
    for (long word = offset & -Long.BYTES; word < offset + length; word += Long.BYTES) {
      flushRead();
      pending = word;
    }
  }

  private void flushRead() {
    if (pending != NONE) {
      section.read(pending);
      pending = NONE;
    }
  }

  private void stored(long offset, long length) {
    if (!isCounting() || isOfLog(offset)) {
      return;
    }
    flushRead();
    for (long word = offset & -Long.BYTES; word < offset + length; word += Long.BYTES) {
      if (logged.contains(word)) {
        section.storeOld(word, word & -AccessedProgram.OBJECT_BYTES, AccessedProgram.OBJECT_BYTES);
      } else {
        section.storeNew(word);
      }
    }
  }

  @Override
  public long readPlain(long offset) {
    read(offset, Long.BYTES);
    return super.readPlain(offset);
  }

  @Override
  public long readAcquire(long offset) {
    read(offset, Long.BYTES);
    return super.readAcquire(offset);
  }

  @Override
  public void readBytes(long offset, byte[] into, int at, int count) {
    read(offset, count);
    super.readBytes(offset, into, at, count);
  }

  @Override
  public boolean hasBytes(long offset, byte[] expected, int count) {
    read(offset, count);
    return super.hasBytes(offset, expected, count);
  }

  @Override
  public void writeEntryRelease(long offset, long w0, long w1, long w2, long last) {
    if (!isOfLog(offset)) {
      stored(offset, 4 * Long.BYTES);
    } else if (isCounting() && last >= 0) { // else it is the payload of a range
      if (Kind.of(last) == Kind.STORE) {
        pending = pending == w0 ? NONE : pending;
        logged.add(w0);
      } else {
        otherEntries++;
      }
    }
    super.writeEntryRelease(offset, w0, w1, w2, last);
  }

  @Override
  public void writeLogged(long offset, long value) {
    stored(offset, Long.BYTES);
    bytes.writeLogged(offset, value);
  }

  @Override
  public void writeLoggedByte(long offset, byte value) {
    stored(offset, 1);
    super.writeLoggedByte(offset, value);
  }

  @Override
  public void writePlain(long offset, long value) {
    stored(offset, Long.BYTES);
    super.writePlain(offset, value);
  }

  @Override
  public void writeRelease(long offset, long value) {
    stored(offset, Long.BYTES);
    super.writeRelease(offset, value);
  }

  @Override
  public void writeBytesPlain(long offset, byte[] from, int at, int count) {
    stored(offset, count);
    super.writeBytesPlain(offset, from, at, count);
  }

  @Override
  public void zeroPlain(long offset, long count) {
    stored(offset, count);
    super.zeroPlain(offset, count);
  }
}
