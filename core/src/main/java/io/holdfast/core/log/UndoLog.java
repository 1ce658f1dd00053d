package io.holdfast.core.log;

import io.holdfast.core.RegionFullException;
import io.holdfast.core.log.UndoEntry.Kind;
import io.holdfast.core.memory.EndMark;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.memory.SpanTable;
import io.holdfast.core.memory.SpanTable.Use;
import java.util.Arrays;

/// The undo log of one slot, as its owner writes it: CSO-VB entries in program order, in the slot's
/// ring and then in chunks, so that there is no largest section.
///
/// A log holds the entries of one *pass*: the sections since it was last empty. As a rule that is
/// one section, which starts at the ring's first entry and commits by one store to the slot's
/// header. Sections that wait for others stay, and later ones follow them; when all are durable the
/// pass is over ({@link #reset()}).
///
/// **SECTION-1** An entry is whole, and where the power may fail durable, before the data is stored
/// that it protects. **SECTION-2** All data are stored, and durable, before the section is.
///
/// **LOG-1** A pass begins only when every section of the pass before is durable, and after a
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
/// The oldest chunk stays for the next pass that needs it, which then overwrites it as it does the
/// ring. Of the others, what takes a round trip of its own is done one entry ahead or one behind,
/// when an entry is waited for anyway: the chunk is filled with zeros when the last entry before it
/// is added, and its span's word is stored with its second one. So a section waits for its entries
/// no more often than it stores, however large it is.
///
/// Not thread-safe: one owner at a time, handed over through {@link LogPool}.
final class UndoLog extends SectionLog {
  /// Words of one section that are remembered as logged. A word that was forgotten is logged again,
  /// which costs an entry and is harmless: the older one is undone last.
  private static final int FILTER_SIZE = 1 << 8;

  /// The filter tells sections apart by 16 bits and is cleared when they wrap.
  private static final int EPOCH_MASK = 0xffff;

  /// Places at the end of a ring or chunk that are for dependencies as long as there is no further
  /// chunk: those are logged in hooks, which can't throw. Eight of 61, so that a section that has
  /// no room can still depend on as many others.
  static final int FOR_DEPENDENCIES = 8;

  /// What is copied at a time inside of the region: a page.
  private static final int PIECE_BYTES = RegionLayout.PAGE_BYTES;

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

  /// What is to be added to the cursor to get the log's length.
  private long passed;

  private boolean writingRange;
  private long[] filter;
  private int epoch;
  private long firstLogged;

  /// The number of the section that logged a range last.
  private long rangesOf;

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
    check = limit - FOR_DEPENDENCIES * UndoEntry.BYTES;
  }

  @Override
  public long number() {
    return number;
  }

  @Override
  public int slot() {
    return slot;
  }

  @Override
  public boolean hasStored() {
    return firstLogged != 0 || rangesOf == number;
  }

  @Override
  public void begin() {
    number++;
    firstLogged = 0;
    if (filter != null) {
      epoch = (epoch + 1) & EPOCH_MASK;
      if (epoch == 0) {
        Arrays.fill(filter, 0);
      }
    }
  }

  @Override
  public void store(long offset, long value, long stamp) {
    if (!isLogged(offset)) {
      append(Kind.STORE, offset, memory.readPlain(offset), stamp);
      remember(offset);
    }
    // SECTION-1: orders the entry before the data. As a plain store it could be seen without its
    // entry, and the crash would keep half a section. Test: SectionCrashTest.p1Atomic.
    memory.writeLogged(offset, value);
  }

  private boolean isLogged(long offset) {
    return offset == firstLogged || filter != null && filter[place(offset)] == tag(offset);
  }

  /// The first word goes to a field of its own, so that a section of one store touches no filter,
  /// and a log whose sections are all of that kind needs none.
  private void remember(long offset) {
    if (firstLogged == 0) {
      firstLogged = offset;
    } else {
      if (filter == null) {
        filter = new long[FILTER_SIZE];
      }
      filter[place(offset)] = tag(offset);
    }
  }

  private static int place(long offset) {
    return (int) ((offset >>> 3) * 0x9E3779B97F4A7C15L >>> 56);
  }

  /// An offset is below 2^51 and a multiple of 8, so shifted by 13 it leaves the low 16 bits free.
  private long tag(long offset) {
    return offset << 13 | epoch;
  }

  @Override
  public void willStore(long offset, long stamp) {
    append(Kind.STORE, offset, memory.readPlain(offset), stamp);
  }

  @Override
  public void willSetBits(long offset, long mask, long stamp) {
    append(Kind.CLEAR_BITS, offset, mask, stamp);
  }

  @Override
  public void willClearBits(long offset, long mask, long stamp) {
    append(Kind.SET_BITS, offset, mask, stamp);
  }

  @Override
  public void storeBytes(long offset, byte[] from, int at, int count, long stamp) {
    logRange(offset, count, stamp);
    memory.writeBytesPlain(offset, from, at, count);
  }

  @Override
  public void storeCopy(long from, long to, long count, long stamp) {
    logRange(to, count, stamp);
    byte[] piece = new byte[(int) Math.min(count, PIECE_BYTES)];
    for (long done = 0; done < count; done += piece.length) {
      int part = (int) Math.min(count - done, piece.length);
      // From the end that is not overwritten before it is read.
      long at = from < to ? count - done - part : done;
      memory.readBytes(from + at, piece, 0, part);
      memory.writeBytesPlain(to + at, piece, 0, part);
    }
  }

  @Override
  public void storeFill(long offset, long words, long value, long stamp) {
    logRange(offset, Math.multiplyExact(words, RegionLayout.WORD_BYTES), stamp);
    for (long i = 0; i < words; i++) {
      memory.writePlain(offset + i * RegionLayout.WORD_BYTES, value);
    }
  }

  private void logRange(long offset, long bytes, long stamp) {
    appendRange(offset, bytes, stamp);
    rangesOf = number;
    // SECTION-1, RANGE-4: orders the entry before the data, which is stored plain after it.
    // Without
    // it the crash would keep part of the data and not its entry. Test:
    // RangeCrashTest.p1AtomicInOneLine.
    memory.releaseFence();
  }

  @Override
  public void dependOn(SectionLog other, long otherNumber, long stamp) {
    if (cursor >= check) {
      mark();
      if (cursor == limit) {
        extend(stamp);
      }
      lookAhead();
      checkAgain();
    }
    memory.writeEntryRelease(
        cursor, other.slot(), otherNumber, stamp, UndoEntry.meta(Kind.DEPENDENCY, number));
    cursor += UndoEntry.BYTES;
  }

  /// Adds an entry of the section that is open.
  ///
  /// When this returns, the entry is whole; the store that it protects must be a release store, or
  /// it could be lifted above the entry.
  ///
  /// @throws io.holdfast.core.RegionFullException if the log needs a further chunk and there is
  ///   none; the log is as before
  private void append(Kind kind, long target, long value, long stamp) {
    if (cursor >= check) {
      prepareEntry(stamp);
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
  private void appendRange(long target, long bytes, long stamp) {
    long words = (bytes + RegionLayout.WORD_BYTES - 1) / RegionLayout.WORD_BYTES;
    if (!UndoEntry.isTarget(memory, target, bytes)) {
      throw new IllegalArgumentException(
          "%s: a section stores to 8-byte words after the region's headers: offset=0x%X, length=%d bytes, region=%d bytes"
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

  @Override
  public void reserve(int entries, long stamp) {
    long bytes = (long) entries * UndoEntry.BYTES;
    if (cursor + bytes > limit) {
      extend(stamp);
    }
    if (cursor + bytes > reserved()) {
      prepareChunk();
    }
  }

  private void prepareEntry(long stamp) {
    mark();
    if (cursor == limit) {
      extend(stamp);
    } else if (cursor >= reserved()) {
      // In the company of an entry. Thrown before the places are used that are for dependencies.
      // Test: RollbackTest.dependenciesFindRoomWhereStoresDoNot.
      prepareChunk();
    }
    checkAgain();
  }

  /// Where the places begin that are for dependencies.
  private long reserved() {
    return limit - FOR_DEPENDENCIES * UndoEntry.BYTES;
  }

  private void checkAgain() {
    if (unmarked != 0) {
      check = cursor + UndoEntry.BYTES;
    } else if (spare != 0) {
      check = limit;
    } else {
      check = reserved();
    }
  }

  private void mark() {
    if (unmarked != 0) {
      // LOG-3: after the list, which was waited for with the chunk's first entry.
      // Test: UndoLogCrashTest.theRingsEndIsLikeAnyOtherPlace.
      memory.writeRelease(SpanTable.wordOf(memory, unmarked), SpanTable.word(Use.LOG_CHUNK, 0));
      unmarked = 0;
    }
  }

  /// Makes a chunk ready, if there is one. If there is none, whoever needs it is told: this entry
  /// has its place.
  private void lookAhead() {
    try {
      if (cursor >= reserved()) {
        prepareChunk();
      }
    } catch (RegionFullException e) {
      // Tried again, and told, if there is an entry for it.
    }
  }

  private void prepareChunk() {
    if (spare == 0) {
      spare = prepared(spans.take(1));
      LogGrowth.tell(memory.name(), slot);
    }
  }

  private long prepared(long chunk) {
    boolean isPrepared = false;
    try {
      memory.zeroPlain(chunk, RegionLayout.SPAN_BYTES);
      memory.writePlain(chunk + LogSlot.CHUNK_NEXT, chunks);
      isPrepared = true;
      return chunk;
    } finally {
      if (!isPrepared) {
        spans.giveBack(chunk, 1); // nothing on media says that it is taken
      }
    }
  }

  private void extend(long stamp) {
    prepareChunk();
    mark(); // of a chunk that one range has filled
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
    passed += cursor - (chunk + LogSlot.ENTRIES);
    cursor = chunk + LogSlot.ENTRIES;
    limit = chunk + RegionLayout.SPAN_BYTES - UndoEntry.BYTES;
    check = cursor;
  }

  @Override
  public void undo() {
    ScannedLog.ofOwner(memory, spans, slot, base).undoLast(number);
  }

  /// Makes the open section durable, by one store: P1.
  @Override
  public void end() {
    // Orders every store of the section before its being durable; without it a crash could keep the
    // section and lack a store (DATA-2). The fence keeps what follows, above all the next pass,
    // which overwrites these entries, after the commit (LOG-1).
    // Tests: SectionCrashTest.p1Atomic, SectionCrashTest.entriesAreNotReusedBeforeTheCommit.
    memory.makeDataDurable();
    memory.writeRelease(base + LogSlot.DURABLE, number);
    memory.releaseFence();
  }

  @Override
  void storeDurable(long section) {
    if (memory.readPlain(base + LogSlot.DURABLE) < section) {
      memory.writePlain(base + LogSlot.DURABLE, section);
    }
  }

  @Override
  public EndedSection endWaiting() {
    // Orders every store of the section before its end: recovery keeps a section that has ended, if
    // those it waits for have, so it must be whole. And durable: it is another thread that commits
    // the sections that end together, and it relies on this (COMMIT-1).
    // Test: DependencyCrashTest.p2OrderedInACycle.
    EndMark mark = memory.writeEnd(base + LogSlot.ENDED, number);
    return new EndedSection(this, number, mark);
  }

  @Override
  Memory memory() {
    return memory;
  }

  @Override
  public long position() {
    return passed + cursor;
  }

  /// Begins a new pass (LOG-1).
  @Override
  public void reset() {
    if (chunks != 0) {
      rewind(); // first: an error after it leaves no cursor in a chunk that is free
      passed = 0;
      giveChunksBack();
    }
    cursor = base + LogSlot.ENTRIES; // `check` is right, or later, which costs a fence then
  }

  private void giveChunksBack() {
    long ready = spare;
    spare = 0; // first: after an error it must not be given back again, or used
    if (ready != 0 && ready != chunks) {
      spans.giveBack(ready, 1); // nothing on media says that it is taken
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
    memory.writePlain(SpanTable.wordOf(memory, chunk), SpanTable.word(Use.FREE, 0));
    memory.writeRelease(base + LogSlot.CHUNKS, next);
    return next;
  }
}
