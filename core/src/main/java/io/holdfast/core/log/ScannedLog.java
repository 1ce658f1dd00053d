package io.holdfast.core.log;

import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.log.UndoEntry.Kind;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.memory.SpanTable;
import io.holdfast.core.memory.SpanTable.Use;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// An undo log as recovery finds it: read and checked whole before anything is written.
///
/// The log ends at the first entry whose section number is smaller than that of the one before
/// (LOG-2), or at a link to a chunk that the slot does not own (LOG-3). Entries of durable sections
/// are passed over.
///
/// What must hold of every entry that may be undone is checked here: a known kind, a target in
/// words of the region after its headers, and a range's length. An entry that fails is damage, not
/// a torn write: a torn entry has no meta word yet (ENTRY-1). A range whose header is there and
/// whose half lines are not all is torn (RANGE-2), and the log ends there.
///
/// At a pass's beginning the first entry may be the old pass's, with words of the new one's in it:
/// a range then leads anywhere. That is harmless: of a durable section nothing is undone, and
/// wherever it leads, what looks like an entry is one (RANGE-1).
public final class ScannedLog {
  /// A section that is not durable.
  ///
  /// @param first index of its first entry in the log
  /// @param dependencies what it is durable only with
  public record ScannedSection(SectionName name, long first, List<SectionName> dependencies) {}

  /// An entry, for people to look at.
  ///
  /// @param kind of its undoing
  /// @param target offset of what is restored; of a dependency the other section's slot
  /// @param words how many words are restored, 0 for a dependency
  /// @param value the old word, or the mask; the first old word of a range; the other section's
  ///   number
  public record ScannedEntry(Kind kind, long target, int words, long value, long stamp) {}

  /// A section's name on media.
  public record SectionName(int slot, long number) {}

  /// Entries of 32 bytes one after the other, from an index on, as far as the next run.
  private record Run(long first, long at) {}

  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /// Stamps begin at 0 with each opening and grow by one with each acquire of an uncommitted
  /// release: at 10 ns that takes 730 years.
  private static final long STAMP_MAX = 1L << 61;

  private final Memory memory;
  private final int slot;
  private final long base;

  /// The highest section number that there may be.
  private final long numberMax;

  /// The highest one in the slot's ring, reachable or not.
  private final long highest;

  private final long durable;
  private final long ended;
  private final Set<Long> chunks;

  /// Spans that logs own, which no section stores to.
  private final Set<Long> owned;

  private final List<Run> runs = new ArrayList<>();
  private final List<ScannedSection> sections = new ArrayList<>();
  private long entries;
  private long lastNumber;

  private ScannedLog(
      Memory memory, int slot, long base, SpanTable spans, Set<Long> owned, long numberMax) {
    this.memory = memory;
    this.slot = slot;
    this.base = base;
    this.owned = owned;
    this.numberMax = numberMax;
    LogPool.checkNumbers(memory, base, numberMax);
    this.durable = memory.readPlain(base + LogSlot.DURABLE);
    this.ended = memory.readPlain(base + LogSlot.ENDED);
    this.chunks = readChunks(spans);
    this.highest = highestInRing();
    if (highest > numberMax) {
      throw LogPool.damaged(memory, base, "an undo entry's section number", highest);
    }
  }

  /// Reads every log of a region.
  ///
  /// @throws RegionDamagedException naming the place, if something can't be
  public static List<ScannedLog> scan(Memory memory, SpanTable spans) {
    List<Long> groups = LogPool.groups(memory, spans);
    List<Long> bases = LogPool.bases(groups);
    Set<Long> owned = new HashSet<>(groups);
    List<ScannedLog> logs = new ArrayList<>();
    for (int slot = 0; slot < bases.size(); slot++) {
      logs.add(new ScannedLog(memory, slot, bases.get(slot), spans, owned, LogSlot.NUMBER_MAX));
    }
    for (ScannedLog log : logs) {
      log.scan(bases.size()); // now that it is known what logs own
    }
    return logs;
  }

  /// Reads one log, by the thread that writes it and may have gone on from {@link
  /// LogSlot#NUMBER_MAX}.
  ///
  /// @param base where its slot is
  static ScannedLog ofOwner(Memory memory, SpanTable spans, int slot, long base) {
    ScannedLog log = new ScannedLog(memory, slot, base, spans, new HashSet<>(), Long.MAX_VALUE);
    log.scan(Integer.MAX_VALUE);
    return log;
  }

  private Set<Long> readChunks(SpanTable spans) {
    Set<Long> found = new HashSet<>();
    long at = base + LogSlot.CHUNKS;
    for (long chunk = memory.readPlain(at); chunk != 0; chunk = memory.readPlain(at)) {
      // FREE: the word may not be stored yet, or is freed already (LOG-3).
      if (!spans.isUsedFor(chunk, Use.LOG_CHUNK, Use.FREE) || !owned.add(chunk)) {
        throw LogPool.damaged(memory, at, "a log's list of chunks", chunk);
      }
      found.add(chunk);
      at = chunk + LogSlot.CHUNK_NEXT;
    }
    return found;
  }

  private void scan(int slots) {
    long at = base + LogSlot.ENTRIES;
    long limit = base + LogSlot.BYTES;
    runs.add(new Run(0, at));
    Set<Long> ahead = new HashSet<>(chunks);
    while (at < limit) {
      long meta = memory.readAcquire(at + UndoEntry.META);
      long number = UndoEntry.numberOf(meta);
      if (number == 0 || number < lastNumber) {
        break;
      }
      if (number > numberMax) {
        throw LogPool.damaged(memory, at, "an undo entry's section number", number);
      }
      lastNumber = number;
      Kind kind = Kind.of(meta);
      if (kind == Kind.LINK) {
        long chunk = memory.readPlain(at + UndoEntry.TARGET);
        if (!ahead.remove(chunk)) {
          if (number > durable && chunks.contains(chunk)) {
            throw LogPool.damaged(memory, at, "a link that leads back in its log", chunk);
          }
          break;
        }
        at = chunk + LogSlot.ENTRIES;
        limit = chunk + RegionLayout.SPAN_BYTES;
        runs.add(new Run(entries, at));
        continue;
      }
      if (kind == Kind.RANGE && !isWholeRange(number, at, limit - UndoEntry.BYTES)) {
        break;
      }
      if (number > durable) {
        accept(kind, number, at, slots);
      }
      entries++;
      if (kind == Kind.RANGE) {
        at += RangeEntry.bytes(RangeEntry.words(memory, at));
        runs.add(new Run(entries, at));
      } else {
        at += UndoEntry.BYTES;
      }
    }
  }

  private boolean isWholeRange(long number, long at, long limit) {
    boolean fits = RangeEntry.fits(memory, at, limit);
    if (!fits && number > durable) {
      throw LogPool.damaged(memory, at, "an undo entry's length", RangeEntry.words(memory, at));
    }
    return fits && RangeEntry.isWhole(memory, at);
  }

  private void accept(Kind kind, long number, long at, int slots) {
    if (sections.isEmpty() || sections.getLast().name().number() != number) {
      sections.add(new ScannedSection(new SectionName(slot, number), entries, new ArrayList<>()));
    }
    long stamp = memory.readPlain(at + UndoEntry.STAMP);
    if (stamp < 0 || stamp > STAMP_MAX) {
      throw LogPool.damaged(memory, at, "an undo entry's stamp", stamp);
    }
    long target = memory.readPlain(at + UndoEntry.TARGET);
    switch (kind) {
      case STORE, SET_BITS, CLEAR_BITS, RANGE -> {
        long words = kind == Kind.RANGE ? RangeEntry.words(memory, at) : 1;
        if (!isTarget(target, words * RegionLayout.WORD_BYTES)) {
          throw LogPool.damaged(memory, at, "an undo entry's target", target);
        }
      }
      case DEPENDENCY -> {
        if (target < 0 || target >= slots) {
          throw LogPool.damaged(memory, at, "an undo entry's slot", target);
        }
        long other = memory.readPlain(at + UndoEntry.VALUE);
        if (other <= 0 || other > numberMax) {
          throw LogPool.damaged(memory, at, "an undo entry's section depended on", other);
        }
        sections.getLast().dependencies().add(new SectionName((int) target, other));
      }
      case null, default ->
          throw LogPool.damaged(memory, at, "an undo entry", memory.readPlain(at + UndoEntry.META));
    }
  }

  /// Whether undoing may store there: where sections do, and so not in logs, which are being read,
  /// nor in the anchors that recovery and the span table go by. A range is at most as long as a
  /// span.
  private boolean isTarget(long target, long bytes) {
    return UndoEntry.isTarget(memory, target, bytes)
        && !overlap(target, bytes, RegionLayout.ANCHOR_LOG_GROUPS, 2L * RegionLayout.WORD_BYTES)
        && !overlap(target, bytes, RegionLayout.ANCHOR_TABLES, RegionLayout.TABLE_LINKS_BYTES)
        && !owned.contains(spanOf(target))
        && !owned.contains(spanOf(target + bytes - 1));
  }

  private static boolean overlap(long at, long bytes, long otherAt, long otherBytes) {
    return at < otherAt + otherBytes && otherAt < at + bytes;
  }

  private static long spanOf(long offset) {
    return offset / RegionLayout.SPAN_BYTES * RegionLayout.SPAN_BYTES;
  }

  /// The slot's number.
  public int slot() {
    return slot;
  }

  /// Number of the last durable section.
  public long durable() {
    return durable;
  }

  /// Number of the last section that ended and had to wait.
  public long ended() {
    return ended;
  }

  /// Where the slot is.
  public long base() {
    return base;
  }

  /// An entry that may be undone.
  public ScannedEntry entry(long index) {
    long at = address(index);
    long meta = memory.readPlain(at + UndoEntry.META);
    Kind kind = Kind.of(meta);
    int words = kind == Kind.DEPENDENCY ? 0 : kind == Kind.RANGE ? RangeEntry.words(memory, at) : 1;
    long value =
        kind == Kind.RANGE
            ? RangeEntry.firstWord(memory, at)
            : memory.readPlain(at + UndoEntry.VALUE);
    return new ScannedEntry(
        kind,
        memory.readPlain(at + UndoEntry.TARGET),
        words,
        value,
        memory.readPlain(at + UndoEntry.STAMP));
  }

  /// The sections that are not durable, in order.
  public List<ScannedSection> sections() {
    return sections;
  }

  /// Whether a section of this log is durable.
  public boolean isDurable(long number) {
    return number <= durable;
  }

  /// Whether a section of this log has ended.
  public boolean hasEnded(long number) {
    return number <= ended;
  }

  /// Entries in the log.
  public long entries() {
    return entries;
  }

  /// The Lamport stamp of an entry.
  public long stamp(long index) {
    return memory.readPlain(address(index) + UndoEntry.STAMP);
  }

  /// Undoes an entry.
  public void undo(long index) {
    long at = address(index);
    long target = memory.readPlain(at + UndoEntry.TARGET);
    long value = memory.readPlain(at + UndoEntry.VALUE);
    switch (Kind.of(memory.readPlain(at + UndoEntry.META))) {
      case STORE -> memory.writePlain(target, value);
      case SET_BITS -> memory.writePlain(target, memory.readPlain(target) | value);
      case CLEAR_BITS -> memory.writePlain(target, memory.readPlain(target) & ~value);
      case RANGE -> RangeEntry.undo(memory, at);
      default -> {
        // A dependency says nothing about data.
      }
    }
  }

  /// Undoes the last section of the log as a section does it that goes on (ROLLBACK-1): by stores
  /// that need no order, for its entries still protect them.
  void undoLast(long number) {
    if (sections.isEmpty() || sections.getLast().name().number() != number) {
      return; // it has stored nothing
    }
    // Backwards, or a word that was logged twice would keep what the section stored in between.
    // Test: RollbackTest.wordsThatWereLoggedTwice.
    for (long index = entries - 1; index >= sections.getLast().first(); index--) {
      undoLogged(address(index));
    }
  }

  private void undoLogged(long at) {
    long target = memory.readPlain(at + UndoEntry.TARGET);
    long value = memory.readPlain(at + UndoEntry.VALUE);
    switch (Kind.of(memory.readPlain(at + UndoEntry.META))) {
      case STORE -> memory.writePlain(target, value);
      case RANGE -> RangeEntry.undo(memory, at);
      default -> {
        // A dependency says nothing about data, and bits are taken back by who had them logged.
      }
    }
  }

  private long address(long index) {
    int low = 0;
    int high = runs.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (runs.get(middle).first() <= index) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    Run run = runs.get(low);
    return run.at() + (index - run.first()) * UndoEntry.BYTES;
  }

  /// Makes the log empty: its sections count as durable, and its chunks are free again. Can be
  /// repeated.
  public void forget() {
    // LOG-4: what was read may be in the cache alone, if the process was killed; RANGE-2 needs it
    // on media. Test: RangeEntryTest.whatAKilledProcessLeftIsDurableBeforeTheSlotIsUsedAgain.
    memory.flush(base, LogSlot.BYTES);
    // The number, then the list of chunks, with release: entries must be ignored before their
    // chunks are anybody else's.
    // Test: RecoveryCrashTest.recoveryCanBeCutOffAnywhere.
    long last = Math.max(highest, Math.max(lastNumber, ended));
    if (last > durable) {
      memory.writeRelease(base + LogSlot.DURABLE, last);
    }
    long chunk = memory.readPlain(base + LogSlot.CHUNKS);
    while (chunk != 0) {
      chunk = UndoLog.freeNewestChunk(memory, base, chunk);
    }
  }

  /// LOG-4: also of entries that can't be reached, because a crash took those before them. Chunks
  /// need no look: they are cleared before they are used again. Test:
  /// SectionCrashTest.numbersAreNotUsedAgain.
  private long highestInRing() {
    byte[] ring = new byte[LogSlot.BYTES - LogSlot.ENTRIES]; // at once: an opening reads all rings
    memory.readBytes(base + LogSlot.ENTRIES, ring, 0, ring.length);
    long found = 0;
    for (int at = UndoEntry.META; at < ring.length; at += UndoEntry.BYTES) {
      found = Math.max(found, UndoEntry.numberOf((long) WORD.get(ring, at)));
    }
    return found;
  }
}
