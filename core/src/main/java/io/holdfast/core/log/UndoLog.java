package io.holdfast.core.log;

import io.holdfast.core.log.UndoEntry.Kind;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.memory.SpanTable;
import io.holdfast.core.memory.SpanTable.Use;

/// The undo log of one slot, as its owner writes it: CSO-VB entries in program order, in the slot's
/// ring and then in chunks, so that there is no largest section.
///
/// A log holds the entries of one *pass*: the sections since it was last empty. As a rule that is
/// one section, which starts at the ring's first entry and commits by one store to the slot's
/// header. Sections that wait for others stay, and later ones follow them; when all are durable the
/// pass is over ({@link #reset()}).
///
/// **LOG-1** A pass begins only when every section of the pass before is durable, and behind a
/// fence. So an entry that is overwritten belongs to a durable section, and recovery ignores it,
/// torn or not.
///
/// **LOG-2** Along a pass section numbers never decrease. Whatever follows the last entry of the
/// pass is zero, payload (RANGE-1), or of an older pass, and shows a smaller number or none: there
/// the log ends.
///
/// **LOG-3** The chunks of a slot are those on its CHUNKS list; a link to a chunk that is not on it
/// is of an older pass. The list is stored before the span's word says LOG_CHUNK, and when a chunk
/// is given back the word goes first: the list knows every chunk, and a crash leaks none.
///
/// **LOG-4** A number that stands in an entry of the ring is given to no later section: a crash can
/// have taken a section's first lines and left later ones, so recovery goes by the highest number
/// in the ring. And what a killed process left there, perhaps in the cache alone, is durable before
/// the ring is used again.
///
/// Not thread-safe: one owner at a time, handed over through {@link LogPool}.
public final class UndoLog {
  private final Memory memory;
  private final SpanTable spans;
  private final int slot;
  private final long base;
  private long cursor;
  private long limit;
  private long number;
  private long chunks;
  private boolean writingRange;

  UndoLog(Memory memory, SpanTable spans, int slot, long base) {
    this.memory = memory;
    this.spans = spans;
    this.slot = slot;
    this.base = base;
    this.number =
        Math.max(memory.readPlain(base + LogSlot.DURABLE), memory.readPlain(base + LogSlot.ENDED));
    rewind();
  }

  private void rewind() {
    cursor = base + LogSlot.ENTRIES;
    limit = base + LogSlot.BYTES - UndoEntry.BYTES; // the last place is for a link
  }

  /// The number of the section that began last.
  public long number() {
    return number;
  }

  /// Which slot of the region this is.
  public int slot() {
    return slot;
  }

  /// Begins the next section; the one before is complete, durable or not.
  public void begin() {
    number++;
  }

  /// Adds an entry of the section that is open.
  ///
  /// When this returns, the entry is whole; the store that it protects must be a release store, or
  /// it could be lifted above the entry.
  ///
  /// @throws io.holdfast.core.RegionFullException if the log needs a further chunk and there is
  ///   none; the log is as before
  public void append(Kind kind, long target, long value, long stamp) {
    if (cursor == limit) {
      extend(stamp);
    }
    memory.writeEntryRelease(cursor, target, value, stamp, UndoEntry.meta(kind, number));
    cursor += UndoEntry.BYTES;
  }

  /// Adds the old content of a range as one entry, or as several if a chunk can't hold it.
  ///
  /// Neither durable nor ordered when this returns: a release fence must be between it and the
  /// stores to the range (RANGE-4).
  ///
  /// @param bytes the last word is saved whole
  /// @throws IllegalArgumentException if that is no range of words that sections may store to
  /// @throws io.holdfast.core.RegionFullException if the log needs a further chunk and there is
  ///   none; the log may hold entries of some of the range, which are harmless
  public void appendRange(long target, long bytes, long stamp) {
    long words = (bytes + RegionLayout.WORD_BYTES - 1) / RegionLayout.WORD_BYTES;
    if (!UndoEntry.isTarget(memory, target, bytes)) {
      throw new IllegalArgumentException(
          "%s: a section stores to 8-byte words behind the region's headers: offset=0x%X, length=%d bytes, region=%d bytes"
              .formatted(memory.name(), target, bytes, memory.length()));
    }
    for (long done = 0; done < words; ) {
      int part = (int) Math.min(words - done, RangeEntry.WORDS_MAX);
      if (cursor + RangeEntry.bytes(part) > limit) {
        extend(stamp);
      }
      writeRange(target + done * RegionLayout.WORD_BYTES, part, stamp);
      done += part;
    }
  }

  private void writeRange(long target, int words, long stamp) {
    if (writingRange) {
      // RANGE-2: the one before was cut off by an error (a stack overflow, say). What it left must
      // not be in the cache alone when bits are chosen to differ from it. Test:
      // RangeEntryTest.anAppendIsRepeatedThatAnErrorCutOff.
      memory.releaseFence();
    }
    writingRange = true;
    RangeEntry.write(memory, cursor, target, words, stamp, number);
    cursor += RangeEntry.bytes(words);
    writingRange = false;
  }

  /// Makes sure that entries of the open section can be added without the log having to grow, so
  /// that a full device can't come between two stores of one change.
  ///
  /// @param entries of 32 bytes, ranges not counted; at most what a chunk holds: 2,045
  /// @throws io.holdfast.core.RegionFullException if the log must grow and can't
  public void reserve(int entries, long stamp) {
    if (cursor + (long) entries * UndoEntry.BYTES > limit) {
      extend(stamp);
    }
  }

  private void extend(long stamp) {
    long chunk = spans.take(1);
    memory.zeroPlain(chunk, RegionLayout.SPAN_BYTES);
    memory.writePlain(chunk + LogSlot.CHUNK_NEXT, chunks);
    // LOG-3: the chunk's content, then the list, then the word. With the word first, a crash
    // between would leave a chunk that nobody owns; with the list before the zeros, recovery could
    // read entries of a former life. Test: UndoLogCrashTest.chunksDoNotLeak.
    memory.writeRelease(base + LogSlot.CHUNKS, chunk);
    memory.writeRelease(SpanTable.wordOf(chunk), SpanTable.word(Use.LOG_CHUNK, 0));
    memory.writeEntryRelease(cursor, chunk, 0, stamp, UndoEntry.meta(Kind.LINK, number));
    chunks = chunk;
    cursor = chunk + LogSlot.ENTRIES;
    limit = chunk + RegionLayout.SPAN_BYTES - UndoEntry.BYTES;
  }

  /// Makes the open section durable, by one store: P1.
  public void commit() {
    // Orders every store of the section before its being durable; without it a crash could keep the
    // section and lack a store. The fence keeps what follows, above all the next pass, which
    // overwrites these entries, behind the commit (LOG-1).
    // Tests: SectionCrashTest.p1Atomic, SectionCrashTest.entriesAreNotReusedBeforeTheCommit.
    memory.writeRelease(base + LogSlot.DURABLE, number);
    memory.releaseFence();
  }

  /// Makes a section durable on its behalf; numbers that are durable already are left alone.
  public void commit(long section) {
    if (memory.readPlain(base + LogSlot.DURABLE) < section) {
      memory.writeRelease(base + LogSlot.DURABLE, section);
      memory.releaseFence();
    }
  }

  /// Records that the open section has ended but waits for others.
  public void ended() {
    // Orders every store of the section before its end: recovery keeps a section that has ended, if
    // those it waits for have, so it must be whole. The fence: it is another thread that commits
    // the sections that end together, and it relies on this (SETTLE-1).
    // Test: DependencyCrashTest.p2OrderedInACycle.
    memory.writeRelease(base + LogSlot.ENDED, number);
    memory.releaseFence();
  }

  /// Begins a new pass. Every section of the log is durable (LOG-1).
  public void reset() {
    if (chunks != 0) {
      giveChunksBack();
      rewind();
    }
    cursor = base + LogSlot.ENTRIES;
  }

  private void giveChunksBack() {
    while (chunks != 0) {
      long chunk = chunks;
      chunks = freeNewestChunk(memory, base, chunk);
      // Whoever takes the chunk fills it anew, its link to the next one included: not before it is
      // off the list. Test: UndoLogCrashTest.chunksDoNotLeakFromOneSectionToTheNext.
      memory.releaseFence();
      spans.giveBack(chunk, 1);
    }
  }

  /// Takes the newest chunk off a slot's list.
  ///
  /// @return the newest one then
  static long freeNewestChunk(Memory memory, long base, long chunk) {
    long next = memory.readPlain(chunk + LogSlot.CHUNK_NEXT);
    // LOG-3: the word, then the list. The other way round a crash between would leak the chunk.
    // Nobody else can take the span in between: it is given back in memory after both. Test:
    // UndoLogCrashTest.chunksDoNotLeak.
    memory.writeRelease(SpanTable.wordOf(chunk), SpanTable.word(Use.FREE, 0));
    memory.writeRelease(base + LogSlot.CHUNKS, next);
    return next;
  }
}
