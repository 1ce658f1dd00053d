package io.holdfast.core.log;

import io.holdfast.core.memory.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;

/// A durable log: entries are appended at its tail and trimmed from its head, each append in one
/// round trip to the media, a flush and a fence (CSO paper, section 3).
///
/// How an entry that is whole is told from one that is not is its {@link LogFormat}'s: {@link
/// CsoVb}, {@link CsoVbFreeBit}, {@link CsoFvb}, {@link CsoRandom}. The entries lie in a ring
/// ({@link LogRing}) that is reused without being cleared. The tail is not kept on media: opening
/// finds it as the first position without a whole entry.
///
/// What a crash leaves is all entries that {@link #append} has returned for and that were not
/// trimmed, and perhaps the one that was being appended, whole. What a thread does after an append
/// is not seen after a crash without it; so the log can be written ahead of the data it speaks of.
///
/// A log that extends itself goes on in a longer ring, linked from the first. The first ring, which
/// is where the log is found, stays; those between are dropped when they have been trimmed.
///
/// Payloads are whole words. Positions are bytes from the log's beginning, grow with every append,
/// and are not dense.
///
/// Not thread-safe: calls are to be ordered by a lock of the caller's. Over a memory whose release
/// stores are not durable in order; it flushes what it needs.
public final class AppendLog {
  private final Memory memory;
  private final LogFormat format;
  private final WhenFull whenFull;

  /// Oldest first; the last is appended to.
  private final List<LogRing> rings = new ArrayList<>();

  private LogRing ring;
  private long tail;

  /// Up to where the ring is free, and ready.
  private long limit;

  /// Up to where it will be ready, behind a fence of the thread that has started to make it so.
  private long recycledTo;

  private long recycledFrom;
  private long tailAtTrim;
  private Thread trimmer;

  /// Receives entries, oldest first.
  public interface Visitor {
    /// @param end the position behind the entry: {@link #trim} drops up to there
    /// @param entry valid during the call
    void visit(long end, LogEntry entry);
  }

  private AppendLog(Memory memory, LogFormat format, WhenFull whenFull) {
    this.memory = memory;
    this.format = format;
    this.whenFull = whenFull;
  }

  /// How many bytes a new log takes.
  public static long bytes(long capacity) {
    return LogRing.HEADER_BYTES + capacity;
  }

  /// Makes a log, durably. A crash in it leaves none.
  ///
  /// @param at where it begins, a multiple of 64; {@link #bytes} from there are its own
  /// @param capacity bytes for entries: a power of two, at least 128
  /// @throws IllegalArgumentException if one of them is not so
  public static AppendLog create(
      Memory memory, long at, long capacity, LogFormat format, WhenFull whenFull) {
    AppendLog log = new AppendLog(memory, format, whenFull);
    log.goOnIn(LogRing.create(memory, at, capacity, 0, format));
    return log;
  }

  /// Opens the log at a place, and makes sure that nothing a crash may have cut off is ever read.
  ///
  /// @throws io.holdfast.core.RegionDamagedException if there is none, or it is of another format
  public static AppendLog open(Memory memory, long at, LogFormat format, WhenFull whenFull) {
    AppendLog log = new AppendLog(memory, format, whenFull);
    LogEntry entry = new LogEntry();
    for (long next = at; next != 0; next = log.ring.next()) {
      LogRing found = LogRing.open(memory, next, format);
      long position = found.head();
      long end;
      while ((end = format.read(found, position, entry)) != LogFormat.NONE) {
        position = end;
      }
      found.endAt(position);
      log.goOnIn(found);
    }
    // LOG-A3: before anything is appended. Test: AppendLogCrashContract.tornEntriesAreNeverRead.
    format.scrub(log.ring, log.tail);
    return log;
  }

  private void goOnIn(LogRing next) {
    rings.add(next);
    ring = next;
    tail = next.tail();
    limit = next.head() + next.capacity();
    recycledTo = limit;
  }

  /// Bytes of the ring that is appended to.
  public long capacity() {
    return ring.capacity();
  }

  /// The position of the oldest entry.
  public long head() {
    return oldest().head();
  }

  /// The position behind the newest entry.
  public long tail() {
    return tail;
  }

  private LogRing oldest() {
    for (LogRing each : rings) {
      if (each == ring || each.head() < each.tail()) {
        return each;
      }
    }
    throw new AssertionError("a log has a ring");
  }

  /// Appends an entry; durable when this returns.
  ///
  /// @param words how many of the payload's
  /// @return the position behind the entry
  /// @throws IllegalArgumentException if the format takes no such payload, or no log of this
  ///   capacity could
  /// @throws io.holdfast.core.LogFullException if there is no room and {@link WhenFull} says so
  public long append(long[] payload, int words) {
    if (words < 0 || words > Math.min(payload.length, format.wordsMax())) {
      throw new IllegalArgumentException(
          "%s: words=%d, payload=%d, max=%d"
              .formatted(this, words, payload.length, format.wordsMax()));
    }
    if (tail + format.room(ring, tail, words) > limit) {
      makeRoom(words);
    }
    tail = format.append(ring, tail, payload, words);
    return tail;
  }

  /// Appends an entry of three words.
  public long append(long w0, long w1, long w2) {
    if (tail + format.room(ring, tail, 3) > limit) {
      makeRoom(3);
    }
    tail = format.append(ring, tail, w0, w1, w2);
    return tail;
  }

  private void makeRoom(int words) {
    long bytes = format.room(ring, tail, words);
    while (tail + bytes > limit) {
      if (limit < recycledTo) {
        awaitRecycled();
      } else {
        whenFull.makeRoom(this, bytes);
        bytes = format.room(ring, tail, words);
      }
    }
  }

  /// What was trimmed is ready behind a fence. As a rule that of an append since.
  private void awaitRecycled() {
    if (!Thread.currentThread().equals(trimmer)) {
      flushAnew();
      memory.fence();
    } else if (tail == tailAtTrim) {
      memory.fence();
    }
    limit = recycledTo;
  }

  /// What another thread has flushed is not this one's to wait for.
  private void flushAnew() {
    memory.flush(ring.at(0), ring.capacity());
  }

  /// Goes on in a ring that is at least twice as long, and has room for an entry.
  void extend(LongUnaryOperator space, long bytes) {
    long capacity = 2 * ring.capacity();
    while (capacity < 2 * bytes) {
      capacity *= 2;
    }
    long at = space.applyAsLong(bytes(capacity));
    long start = (tail + capacity - 1) & -capacity;
    LogRing next = LogRing.create(memory, at, capacity, start, format);
    // RING-3: the ring is durable before the link. Test:
    // AppendLogCrashContract.aFullLogGoesOnInAnotherRing.
    ring.linkTo(at);
    ring.endAt(tail);
    goOnIn(next);
  }

  /// Calls a visitor with every entry, oldest first. It may trim up to the entry's end.
  public void forEach(Visitor visitor) {
    LogEntry entry = new LogEntry();
    for (LogRing each : List.copyOf(rings)) {
      long end = each == ring ? tail : each.tail();
      for (long position = each.head(); position < end; ) {
        position = format.read(each, position, entry);
        visitor.visit(position, entry);
      }
    }
  }

  /// Drops the entries before a position; durable when this returns.
  ///
  /// @param end a position that {@link #append} returned or a visitor was given; what is trimmed
  ///   already is left alone
  /// @throws IllegalArgumentException if it is behind the tail
  public void trim(long end) {
    if (end > tail || end % LogRing.GRAIN != 0) {
      throw new IllegalArgumentException(
          "%s: no entry ends at %d: head=%d, tail=%d".formatted(this, end, head(), tail));
    }
    LogRing first = rings.getFirst();
    for (LogRing each : List.copyOf(rings)) {
      long to = each == ring ? end : Math.min(end, each.tail());
      if (to > each.head()) {
        trim(each, to);
      }
      if (each != first && each != ring && end >= each.tail()) {
        first.linkTo(each.next());
        rings.remove(each);
        whenFull.dropped(each.header(), bytes(each.capacity()));
      }
    }
    whenFull.trimmed();
  }

  private void trim(LogRing trimmed, long to) {
    long from = trimmed.head();
    trimmed.moveHead(to);
    if (trimmed == ring) {
      if (Thread.currentThread().equals(trimmer)) {
        limit = recycledTo; // the fence behind HEAD was one for what was trimmed before
      }
      boolean isPending = limit < recycledTo;
      recycledTo = to + ring.capacity();
      if (format.recycle(ring, from, to)) {
        if (isPending) {
          flushAnew();
        }
        tailAtTrim = tail;
        trimmer = Thread.currentThread();
      } else {
        limit = recycledTo;
      }
    }
  }

  @Override
  public String toString() {
    return ring.toString();
  }
}
