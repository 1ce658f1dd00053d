package io.holdfast.core.log;

import io.holdfast.core.HoldfastException;
import io.holdfast.core.RegionDamagedException;
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
/// Over a memory whose release stores are not durable in order: it flushes what it needs.
///
/// - **APPEND-1** nothing is stored outside of free space, which is between the tail and the limit:
///   a ring's length after a head that is durable, and ready to be used again.
/// - **APPEND-2** what an opening has read is durable before it returns. A killed process leaves
///   stores in the cache that nobody has flushed, whole entries among them; were the next one
///   appended after such an entry, a loss of power could take the one and leave the other.
/// - **APPEND-3** if the memory throws in the middle of an append, nobody knows what of the entry
///   is there, and another one in its place could be mixed with it: the log takes no more until it
///   is opened again.
///
/// Not thread-safe: calls are to be ordered by a lock of the caller's.
public final class AppendLog {
  private final Memory memory;
  private final LogFormat format;
  private final WhenFull whenFull;

  /// Oldest first; the last is appended to.
  private final List<LogRing> rings = new ArrayList<>();

  private LogRing ring;
  private long tail;

  /// Up to where the ring is free (APPEND-1).
  private long limit;

  /// What ended the log's life (APPEND-3).
  private Throwable failure;

  /// Receives entries, oldest first.
  public interface Visitor {
    /// @param end the position after the entry: {@link #trim} drops up to there
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
  /// @throws RegionDamagedException if there is none, or it is of another format
  public static AppendLog open(Memory memory, long at, LogFormat format, WhenFull whenFull) {
    AppendLog log = new AppendLog(memory, format, whenFull);
    LogEntry entry = new LogEntry();
    for (long next = at; next != 0; next = log.ring.next()) {
      LogRing found = LogRing.open(memory, next, format);
      found.checkFollows(log.ring);
      long position = found.head();
      long full = position + found.capacity();
      long end;
      while (position < full && (end = format.read(found, position, entry)) != LogFormat.NONE) {
        position = end;
      }
      found.endAt(position);
      log.goOnIn(found);
    }
    // APPEND-2. Test: AppendLogCrashContract.whatAKilledProcessLeftIsDurableOnceItWasRead.
    log.rings.forEach(LogRing::persistHeader);
    log.ring.persist(log.ring.at(0), log.ring.capacity());
    // LOG-A3: before anything is appended. Test: AppendLogCrashContract.tornEntriesAreNeverRead.
    format.scrub(log.ring, log.tail);
    return log;
  }

  private void goOnIn(LogRing next) {
    rings.add(next);
    ring = next;
    tail = next.tail();
    limit = next.head() + next.capacity();
  }

  /// Bytes of the ring that is appended to.
  public long capacity() {
    return ring.capacity();
  }

  /// The position of the oldest entry.
  public long head() {
    return oldest().head();
  }

  /// The position after the newest entry.
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
  /// @return the position after the entry
  /// @throws IllegalArgumentException if the format takes no such payload, or no log of this
  ///   capacity could
  /// @throws io.holdfast.core.LogFullException if there is no room and {@link WhenFull} says so
  /// @throws HoldfastException if an earlier append failed halfway (APPEND-3)
  public long append(long[] payload, int words) {
    if (words < 0 || words > Math.min(payload.length, format.wordsMax())) {
      throw new IllegalArgumentException(
          "%s: words=%d, payload=%d, max=%d"
              .formatted(this, words, payload.length, format.wordsMax()));
    }
    if (tail + format.room(ring, tail, words) > limit) {
      makeRoom(words);
    }
    try {
      tail = format.append(ring, tail, payload, words);
    } catch (RuntimeException | Error e) {
      throw failed(e);
    }
    return tail;
  }

  /// Appends an entry of three words.
  public long append(long w0, long w1, long w2) {
    if (tail + format.room(ring, tail, 3) > limit) {
      makeRoom(3);
    }
    try {
      tail = format.append(ring, tail, w0, w1, w2);
    } catch (RuntimeException | Error e) {
      throw failed(e);
    }
    return tail;
  }

  /// APPEND-3. A refused payload is no failure: formats refuse before they store.
  private RuntimeException failed(Throwable e) {
    if (e instanceof IllegalArgumentException refused) {
      return refused;
    }
    failure = e;
    limit = Long.MIN_VALUE;
    if (e instanceof Error error) {
      throw error;
    }
    return (RuntimeException) e;
  }

  private void makeRoom(int words) {
    while (true) {
      if (failure != null) {
        throw new HoldfastException(
            "%s: an append failed halfway (%s), so that the log takes no more. Open it again"
                .formatted(this, failure),
            failure);
      }
      long bytes = format.room(ring, tail, words);
      if (tail + bytes <= limit) {
        return;
      }
      whenFull.makeRoom(this, bytes);
    }
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
    // **RING-3** The ring is durable before the link. Test:
    // AppendLogCrashContract.aFullLogGoesOnInAnotherRing.
    ring.linkTo(at);
    ring.endAt(tail);
    goOnIn(next);
  }

  /// Calls a visitor with every entry, oldest first. It may trim up to the entry's end.
  ///
  /// @throws RegionDamagedException if something else has written to the log
  public void forEach(Visitor visitor) {
    LogEntry entry = new LogEntry();
    for (LogRing each : List.copyOf(rings)) {
      long end = each == ring ? tail : each.tail();
      for (long position = each.head(); position < end; ) {
        position = format.read(each, position, entry);
        if (position == LogFormat.NONE) {
          throw new RegionDamagedException(
              "%s: an entry that was there is gone: head=%d, end=%d. Another program has written to the file; restore it from a backup"
                  .formatted(each, each.head(), end));
        }
        visitor.visit(position, entry);
      }
    }
  }

  /// Calls a visitor with all space that the log has been extended to and uses, oldest first.
  public void forEachExtension(WhenFull.SpaceVisitor visitor) {
    for (LogRing each : rings.subList(1, rings.size())) {
      visitor.visit(each.header(), bytes(each.capacity()));
    }
  }

  /// Drops the entries before a position; durable when this returns.
  ///
  /// @param end a position that {@link #append} returned or a visitor was given; what is trimmed
  ///   already is left alone
  /// @throws IllegalArgumentException if no entry ends there
  public void trim(long end) {
    if (!isEnd(end)) {
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

  /// Whether an entry ends at a position, or has been trimmed there. A head inside of an entry
  /// would show nothing at all, or garbage, to the next opening.
  private boolean isEnd(long end) {
    if (end == tail || end <= head()) {
      return true;
    }
    LogEntry entry = new LogEntry();
    for (LogRing each : rings) {
      long last = each == ring ? tail : each.tail();
      long position = each.head();
      while (position < end && position < last) {
        position = format.read(each, position, entry);
      }
      if (end <= last) {
        return position == end;
      }
    }
    return false;
  }

  private void trim(LogRing trimmed, long to) {
    long from = trimmed.head();
    trimmed.moveHead(to);
    if (trimmed == ring) {
      if (format.recycle(ring, from, to)) {
        // APPEND-1: by the thread that has flushed it; another one's append does not wait for that.
        // Test: AppendLogCrashContract.trimmedSpaceIsReadyForEveryThread.
        memory.fence();
      }
      limit = failure == null ? to + ring.capacity() : limit;
    }
  }

  @Override
  public String toString() {
    return ring.toString();
  }
}
