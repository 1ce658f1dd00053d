package io.holdfast.testkit;

import io.holdfast.core.PersistenceCounts;
import io.holdfast.core.RegionFullException;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.testkit.Event.Kind;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A region in the heap that records each store with its mode, old and new bytes, and each flush
/// and fence.
///
/// Bulk stores are recorded as plain stores of words, and of bytes where they begin or end inside a
/// word. A store that changes nothing is not recorded: in every image it is as if it were not
/// there.
///
/// For threads that take turns ({@link Baton}), not for threads that run at once. Accesses out of
/// bounds or of words that are not aligned throw. Closing does nothing, so that it can be opened
/// again.
public final class RecordingMemory extends Memory {
  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private byte[] bytes = {};

  /// Of the file.
  private long length;

  /// Of the region that is in the file, which may be shorter.
  private long end;

  private long hash;
  private long capacity = Long.MAX_VALUE;
  private int growthsLeft = Integer.MAX_VALUE;
  private List<Event> events;
  private boolean tracing;
  private boolean flushing;
  private long flushes;
  private long fences;
  private long lines;
  private long flushedBytes;

  /// An empty one, which does not record.
  public RecordingMemory() {}

  /// A copy of the bytes, which does not record.
  public RecordingMemory copy() {
    RecordingMemory copy = new RecordingMemory();
    copy.become(this);
    return copy;
  }

  void become(RecordingMemory other) {
    bytes = other.bytes.clone();
    length = other.length;
    end = length;
    hash = other.hash;
  }

  /// The bytes as they are.
  public byte[] toBytes() {
    return Arrays.copyOf(bytes, (int) length);
  }

  /// Changes a word behind the back of everybody: damage.
  public void damage(long offset, long value) {
    put(offset, value);
  }

  /// From now on, growing beyond a length throws {@link RegionFullException}.
  public void limitTo(long newCapacity) {
    capacity = newCapacity;
  }

  /// Has one growth throw {@link RegionFullException}, and those after it as well until this is
  /// called again.
  ///
  /// @param number 1 for the next one; 0 for none
  public void refuseGrowth(int number) {
    growthsLeft = number == 0 ? Integer.MAX_VALUE : number - 1;
  }

  /// Records from now on, from an empty list.
  ///
  /// @param withFlushes whether flushes and fences do anything, and order stores as the calls that
  ///   they are do; else they are nothing at all, as in the page cache
  void record(boolean withFlushes, boolean withTraces) {
    events = new ArrayList<>();
    flushing = withFlushes;
    tracing = withTraces;
  }

  /// What was flushed and fenced so far, recorded or not.
  public PersistenceCounts counts() {
    return new PersistenceCounts(flushes, fences, lines, flushedBytes);
  }

  /// Events recorded so far.
  int eventCount() {
    return events.size();
  }

  /// Stops recording.
  List<Event> recorded() {
    List<Event> recorded = events == null ? List.of() : events;
    events = null;
    return recorded;
  }

  /// Has a crash point after this know of something: {@link CrashPoint#notes}. Where several
  /// threads work in one step, each notes what was handed over to it, or its stores could be taken
  /// for ones that were done before.
  public void note(String what) {
    mark(Kind.NOTE, what);
  }

  /// Records that a step begins or ends.
  void mark(Kind kind, String what) {
    record(Event.mark(kind, what));
  }

  private void record(Event event) {
    if (events != null) {
      events.add(event);
    }
  }

  private StackTraceElement[] trace() {
    return tracing ? Thread.currentThread().getStackTrace() : null;
  }

  /// Does what an event did, without recording it.
  void redo(Event event) {
    switch (event.kind()) {
      case PLAIN, RELEASE -> put(event.at(), get(event.at()) & ~event.mask() | event.after());
      case GROWTH -> setLength(event.after());
      case TRUNCATION -> {
        putBytes(event.after(), new byte[event.cutOff().length]);
        setLength(event.after());
      }
      default -> {
        // It left nothing on media.
      }
    }
  }

  /// Takes back what {@link #redo} did; last done, first undone.
  void undo(Event event) {
    switch (event.kind()) {
      case PLAIN, RELEASE -> put(event.at(), get(event.at()) & ~event.mask() | event.before());
      case GROWTH -> setLength(event.at());
      case TRUNCATION -> {
        setLength(event.at());
        putBytes(event.after(), event.cutOff());
      }
      default -> {
        // It left nothing on media.
      }
    }
  }

  /// Takes back what a list of events did.
  void undo(List<Event> done) {
    for (int i = done.size() - 1; i >= 0; i--) {
      undo(done.get(i));
    }
  }

  /// Sets the length alone, as a growth that was cut off does.
  public void setLength(long newLength) {
    if (newLength > bytes.length) {
      bytes = Arrays.copyOf(bytes, (int) (newLength + 7 & ~7L));
    }
    length = newLength;
    end = newLength;
  }

  private void putBytes(long offset, byte[] words) {
    for (int at = 0; at < words.length; at += 8) {
      put(offset + at, (long) WORDS.get(words, at));
    }
  }

  /// A hash of the content; the same for the same bytes, whatever stores led to them.
  long contentHash() {
    return hash;
  }

  private long get(long offset) {
    return (long) WORDS.get(bytes, (int) offset);
  }

  private void put(long offset, long value) {
    hash += mix(offset, value) - mix(offset, get(offset));
    WORDS.set(bytes, (int) offset, value);
  }

  private static long mix(long offset, long value) {
    if (value == 0) {
      return 0;
    }
    long x = (value ^ offset * 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
    x = (x ^ x >>> 29) * 0x94D049BB133111EBL;
    return x ^ x >>> 32;
  }

  private void check(long offset, long count) {
    if (offset < 0 || count < 0 || offset + count > end) {
      throw new IndexOutOfBoundsException(
          "offset=0x%X, bytes=%d, length=0x%X".formatted(offset, count, end));
    }
  }

  private void checkWord(long offset) {
    check(offset, 8);
    if (offset % 8 != 0) {
      throw new IllegalArgumentException("not a word: offset=0x%X".formatted(offset));
    }
  }

  private void store(Kind kind, long offset, long value, long mask) {
    long old = get(offset);
    long before = old & mask;
    long after = value & mask;
    if (before != after) {
      put(offset, old & ~mask | after);
      if (events != null) {
        events.add(new Event(kind, offset, before, after, mask, null, trace(), null));
      }
    }
  }

  @Override
  public long length() {
    return end;
  }

  @Override
  public void grow(long newLength) {
    if (newLength <= end) {
      throw new IllegalArgumentException(
          "a region only grows: length=%d, newLength=%d".formatted(end, newLength));
    }
    if (newLength > capacity || growthsLeft == 0) {
      throw new RegionFullException(
          "%s: full: newLength=%d, capacity=%d".formatted(name(), newLength, capacity));
    }
    growthsLeft--;
    if (end < length) {
      overwrite(Math.min(length, newLength));
    }
    if (newLength > length) {
      record(Event.growth(length, newLength));
      setLength(newLength);
    }
    end = newLength;
  }

  /// Writes zeros over what the file has after the region, as it writes them where it has nothing.
  private void overwrite(long to) {
    long from = end;
    end = to;
    zeroPlain(from, to - from);
    flush(from, to - from);
    fence();
  }

  @Override
  public void shrink(long newLength) {
    if (newLength > end) {
      throw new IllegalArgumentException(
          "not shorter: length=%d, newLength=%d".formatted(end, newLength));
    }
    end = newLength;
  }

  @Override
  public void giveBack() {
    if (end < length) {
      Event event =
          Event.truncation(
              length, end, Arrays.copyOfRange(bytes, (int) end, (int) (length + 7 & ~7L)));
      record(event);
      redo(event);
    }
  }

  @Override
  public long readPlain(long offset) {
    checkWord(offset);
    return get(offset);
  }

  @Override
  public long readAcquire(long offset) {
    return readPlain(offset);
  }

  @Override
  public void writePlain(long offset, long value) {
    checkWord(offset);
    store(Kind.PLAIN, offset, value, -1);
  }

  @Override
  public void writeRelease(long offset, long value) {
    checkWord(offset);
    store(Kind.RELEASE, offset, value, -1);
  }

  @Override
  public void writeLoggedByte(long offset, byte value) {
    check(offset, 1);
    int shift = (int) (offset % 8) * 8;
    store(Kind.RELEASE, offset & ~7L, (value & 0xffL) << shift, 0xffL << shift);
  }

  @Override
  public void writeEntryRelease(long offset, long w0, long w1, long w2, long last) {
    writePlain(offset, w0);
    writePlain(offset + 8, w1);
    writePlain(offset + 16, w2);
    writeRelease(offset + 24, last);
  }

  @Override
  public void readBytes(long offset, byte[] into, int at, int count) {
    check(offset, count);
    System.arraycopy(bytes, (int) offset, into, at, count);
  }

  @Override
  public void writeBytesPlain(long offset, byte[] from, int at, int count) {
    check(offset, count);
    int done = 0;
    while (done < count) {
      long to = offset + done;
      if (to % 8 == 0 && count - done >= 8) {
        store(Kind.PLAIN, to, (long) WORDS.get(from, at + done), -1);
        done += 8;
      } else {
        int shift = (int) (to % 8) * 8;
        store(Kind.PLAIN, to & ~7L, (from[at + done] & 0xffL) << shift, 0xffL << shift);
        done++;
      }
    }
  }

  @Override
  public void zeroPlain(long offset, long count) {
    writeBytesPlain(offset, new byte[(int) count], 0, (int) count);
  }

  @Override
  public void releaseFence() {
    mark(Kind.RELEASE_FENCE, null);
  }

  @Override
  public void flush(long offset, long count) {
    check(offset, count);
    long first = offset & -RegionLayout.LINE_BYTES;
    long end = (offset + count + RegionLayout.LINE_BYTES - 1) & -RegionLayout.LINE_BYTES;
    flushes++;
    lines += (end - first) / RegionLayout.LINE_BYTES;
    flushedBytes += count;
    if (flushing && count > 0) {
      String thread = Thread.currentThread().getName();
      record(new Event(Kind.FLUSH, first, 0, end, 0, thread, trace(), null));
    }
  }

  @Override
  public void fence() {
    fences++;
    if (flushing) {
      record(new Event(Kind.FENCE, 0, 0, 0, 0, Thread.currentThread().getName(), trace(), null));
    }
  }

  @Override
  public String name() {
    return "recorded";
  }

  @Override
  public void close() {
    // The bytes outlive the region, as a file does.
  }

  @Override
  public Memory reopen() {
    return this;
  }
}
