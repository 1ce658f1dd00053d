package io.holdfast.core.log;

import io.holdfast.core.RegionFullException;
import io.holdfast.core.log.UndoEntry.Kind;
import io.holdfast.core.memory.EndMark;
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
/// pass is zero or of an older pass, and shows a smaller number: there the log ends.
///
/// **LOG-3** The chunks of a slot are those on its CHUNKS list; a link to a chunk that is not on it
/// is of an older pass. The list is stored before the span's word says LOG_CHUNK, and when a chunk
/// is given back the word goes first: the list knows every chunk, and a crash leaks none.
///
/// The oldest chunk stays for the next pass that needs it, which then overwrites it as it does the
/// ring. Of the others, what takes a round trip of its own is done one entry ahead or one behind,
/// when an entry is waited for anyway: the chunk is filled with zeros when the last entry before it
/// is added, and its span's word is stored with its second one. So a section of n stores waits n
/// times for its entries, however large it is.
///
/// Not thread-safe: one owner at a time, handed over through {@link LogPool}.
public final class UndoLog {
  private final Memory memory;
  private final SpanTable spans;
  private final int slot;
  private final long base;
  private long cursor;

  /// Where the ring or chunk ends: the place of its link.
  private long limit;

  /// Where an append has more to do than to add an entry.
  private long check;

  private long number;

  /// The newest chunk on the list, 0 for none.
  private long chunks;

  /// A chunk that is ready to be used next, on the list or not, 0 for none.
  private long spare;

  /// A chunk on the list whose span's word is not stored, 0 for none.
  private long unmarked;

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
    check = limit - UndoEntry.BYTES;
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
    if (cursor >= check) {
      prepareEntry(stamp);
    }
    memory.writeEntryRelease(cursor, target, value, stamp, UndoEntry.meta(kind, number));
    cursor += UndoEntry.BYTES;
  }

  /// Makes sure that entries of the open section can be added without the log having to grow, so
  /// that a full device can't come between two stores of one change.
  ///
  /// @param entries at most what a chunk holds: 2,046
  /// @throws io.holdfast.core.RegionFullException if the log must grow and can't
  public void reserve(int entries, long stamp) {
    if (cursor + (long) entries * UndoEntry.BYTES > limit) {
      extend(stamp);
    }
  }

  private void prepareEntry(long stamp) {
    if (unmarked != 0) {
      // LOG-3: behind the list, which was waited for with the chunk's first entry.
      // Test: UndoLogCrashTest.theRingsEndIsLikeAnyOtherPlace.
      memory.writeRelease(SpanTable.wordOf(unmarked), SpanTable.word(Use.LOG_CHUNK, 0));
      unmarked = 0;
    }
    if (cursor == limit) {
      extend(stamp);
    } else if (cursor == limit - UndoEntry.BYTES) {
      lookAhead();
    }
    long last = limit - UndoEntry.BYTES;
    check = unmarked != 0 ? cursor + UndoEntry.BYTES : cursor < last ? last : limit;
  }

  /// Makes a chunk ready in the company of the entry before it. If there is none, whoever needs it
  /// is told: this entry has its place.
  private void lookAhead() {
    try {
      prepareChunk();
    } catch (RegionFullException e) {
      // Tried again, and told, if there is an entry for it.
    }
  }

  private void prepareChunk() {
    if (spare == 0) {
      long chunk = spans.take(1);
      memory.zeroPlain(chunk, RegionLayout.SPAN_BYTES);
      memory.writePlain(chunk + LogSlot.CHUNK_NEXT, chunks);
      spare = chunk;
    }
  }

  private void extend(long stamp) {
    prepareChunk();
    long chunk = spare;
    spare = 0;
    if (chunk != chunks) {
      // LOG-3: the chunk's content, then the list, then the word. With the word first, a crash
      // between would leave a chunk that nobody owns; with the list before the zeros, recovery
      // could read entries of a former life. The link may come first: without the list it is none.
      // Test: UndoLogCrashTest.chunksDoNotLeak.
      memory.writeRelease(base + LogSlot.CHUNKS, chunk);
      chunks = chunk;
      unmarked = chunk;
    }
    memory.writeEntryRelease(cursor, chunk, 0, stamp, UndoEntry.meta(Kind.LINK, number));
    cursor = chunk + LogSlot.ENTRIES;
    limit = chunk + RegionLayout.SPAN_BYTES - UndoEntry.BYTES;
    check = cursor;
  }

  /// Makes the open section durable, by one store: P1.
  public void commit() {
    // Orders every store of the section before its being durable; without it a crash could keep the
    // section and lack a store (DATA-2). The fence keeps what follows, above all the next pass,
    // which overwrites these entries, behind the commit (LOG-1).
    // Tests: SectionCrashTest.p1Atomic, SectionCrashTest.entriesAreNotReusedBeforeTheCommit.
    memory.makeDataDurable();
    memory.writeRelease(base + LogSlot.DURABLE, number);
    memory.releaseFence();
  }

  /// Stores that a section is durable, plain; numbers that are durable already are left alone.
  void storeDurable(long section) {
    if (memory.readPlain(base + LogSlot.DURABLE) < section) {
      memory.writePlain(base + LogSlot.DURABLE, section);
    }
  }

  /// Records that the open section has ended but waits for others.
  ///
  /// @return what makes it durable with them
  public EndedSection ended() {
    // Orders every store of the section before its end: recovery keeps a section that has ended, if
    // those it waits for have, so it must be whole. And durable: it is another thread that commits
    // the sections that end together, and it relies on this (SETTLE-1).
    // Test: DependencyCrashTest.p2OrderedInACycle.
    EndMark mark = memory.writeEnd(base + LogSlot.ENDED, number);
    return new EndedSection(this, number, mark);
  }

  Memory memory() {
    return memory;
  }

  /// Begins a new pass. Every section of the log is durable (LOG-1).
  public void reset() {
    if (chunks != 0) {
      giveChunksBack();
      rewind();
    }
    cursor = base + LogSlot.ENTRIES; // `check` is right, or later, which costs a fence then
  }

  private void giveChunksBack() {
    if (spare != 0 && spare != chunks) {
      spans.giveBack(spare, 1); // nothing on media says that it is taken
    }
    while (memory.readPlain(chunks + LogSlot.CHUNK_NEXT) != 0) {
      long chunk = chunks;
      chunks = freeNewestChunk(memory, base, chunk);
      unmarked = unmarked == chunk ? 0 : unmarked;
      // Whoever takes the chunk fills it anew, its link to the next one included: not before it is
      // off the list. Test: UndoLogCrashTest.chunksDoNotLeakFromOneSectionToTheNext.
      memory.releaseFence();
      spans.giveBack(chunk, 1);
    }
    spare = chunks;
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
