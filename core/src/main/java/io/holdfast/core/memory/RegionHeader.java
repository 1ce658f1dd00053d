package io.holdfast.core.memory;

import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.RegionFormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.zip.CRC32C;

/// The header of a region: what it is, how long, and whether it was closed.
///
/// Two copies, each one line at the start of its page:
///
/// | word | content |
/// |---|---|
/// | 0 | magic, the bytes `HOLDFAST` |
/// | 1 | low half: format version; high half: byte-order mark `0x01020304` |
/// | 2, 3 | identity, a random UUID |
/// | 4 | geometry: span size and line size in bytes, 32 bits each |
/// | 5 | length of the region in bytes |
/// | 6 | sequence number of this copy, shifted by 8, and the state in the low byte |
/// | 7 | high half: `0xC5C32C00`; low half: CRC32C of words 0 to 6 |
///
/// **HEADER-1** At every instant after creation one copy is valid. Both are written at every
/// change, one after the other, so a decayed page loses nothing either. The valid copy with the
/// higher sequence counts. It is written second, because it may be the only valid one: a crash
/// between the two, or decay, leaves the other damaged.
///
/// **LENGTH-1** The file has at least the length that the header says; what it has after that is
/// nobody's, and may be anything: zeros, a hole, what was there before a {@link SpanTable#trim}. So
/// a growth is complete before the header says so, and a trim begins with the header; a growth
/// trusts nothing that it finds in the file, and writes its zeros over it. A crash in either leaves
/// the file too long at most.
///
/// **HEADER-3** What the copies say is believed only if they can both be of one region: two valid
/// ones have the same identity, and if they have the same sequence they are equal. A length and a
/// sequence are such as a region can have. A checksum shows decay, not intent: these checks follow
/// for a file whose checksum was repaired.
///
/// **HEADER-2** Creation writes the magic first and everything else after it, into bytes that are
/// zero. So what a crash leaves of a creation is told from any other file: copy B is zero, copy A
/// is zero or begins with the magic and has no checksum, and the rest of the file, which is no
/// longer than a new region, is zero. Such a file holds nothing, and the next open completes it.
///
/// Not thread-safe, but for {@link #identity} and {@link #length}: it is changed by who opens or
/// closes the region, and in between by its {@link SpanTable} alone, under that one's lock.
public final class RegionHeader {
  /// The newest format that this version reads.
  private static final int FORMAT_VERSION = 2;

  /// The format of a region that is complete by itself, and of one that its log completes: the same
  /// but for this number, by which earlier versions refuse it.
  private static final int COMPLETE = 1, WITH_LOG = 2;

  static final long MAGIC =
      ByteBuffer.wrap("HOLDFAST".getBytes(java.nio.charset.StandardCharsets.US_ASCII))
          .order(ByteOrder.LITTLE_ENDIAN)
          .getLong();
  private static final int BYTE_ORDER_MARK = 0x01020304;
  private static final long CHECKSUM_MARK = 0xC5C32C00_00000000L;
  private static final int WORDS = 8;
  private static final int MAGIC_WORD = 0, VERSION = 1, IDENTITY = 2, GEOMETRY = 4;
  private static final int LENGTH = 5, STATE = 6, CHECKSUM = 7;
  private static final long OUR_GEOMETRY =
      (long) RegionLayout.SPAN_BYTES << 32 | RegionLayout.LINE_BYTES;

  /// Half of what the word holds: a change each microsecond for a thousand years.
  private static final long SEQUENCE_MAX = 1L << 55;

  /// Whether the region's last user let go of it in order.
  public enum State {
    OPEN,
    CLOSED
  }

  private final Memory memory;
  private final UUID identity;
  private volatile long length; // read by every check of an offset
  private State state;
  private long sequence;

  /// Whether its log completes it.
  private final boolean isWithLog;

  /// The copy that counts.
  private final long current;

  private RegionHeader(
      Memory memory,
      long current,
      UUID identity,
      long length,
      State state,
      long sequence,
      boolean isWithLog) {
    this.memory = memory;
    this.current = current;
    this.identity = identity;
    this.length = length;
    this.state = state;
    this.sequence = sequence;
    this.isWithLog = isWithLog;
  }

  /// Writes the header of a new region over memory that is zero or holds a creation that was cut
  /// off.
  public static RegionHeader create(Memory memory, UUID identity) {
    // HEADER-2: the magic before all else, by a fence after it: otherwise a crash could leave
    // words without it, which nobody could tell from a foreign file. Test:
    // RegionCrashTest.creationIsCompletedByTheNextOpen.
    memory.writePlain(RegionLayout.HEADER_A, MAGIC);
    memory.releaseFence();
    // HEADER-2 wants copy A written first.
    RegionHeader header =
        new RegionHeader(
            memory,
            RegionLayout.HEADER_B,
            identity,
            memory.length(),
            State.CLOSED,
            0,
            memory.hasLog());
    header.write(header.state, header.length);
    return header;
  }

  /// Whether the memory holds nothing but, perhaps, the beginning of a creation (HEADER-2).
  ///
  /// @param longest the length of a new region; what is longer was not left by a creation
  public static boolean isUnfinishedCreation(Memory memory, long longest) {
    long length = memory.length();
    if (length > longest) {
      return false;
    }
    boolean begun = length >= RegionLayout.LINE_BYTES && memory.readPlain(0) == MAGIC;
    if (begun && memory.readPlain((long) CHECKSUM * RegionLayout.WORD_BYTES) != 0) {
      return false;
    }
    return isZero(memory, begun ? RegionLayout.LINE_BYTES : 0, length);
  }

  private static boolean isZero(Memory memory, long from, long to) {
    byte[] page = new byte[RegionLayout.PAGE_BYTES];
    for (long at = from; at < to; at += page.length) {
      int count = (int) Math.min(page.length, to - at);
      memory.readBytes(at, page, 0, count);
      for (int i = 0; i < count; i++) {
        if (page[i] != 0) {
          return false;
        }
      }
    }
    return true;
  }

  /// Reads the header of a region, writing nothing.
  ///
  /// @throws RegionFormatException if this is not a region, or one of a newer version
  /// @throws RegionDamagedException if both copies are damaged or the file was cut off
  public static RegionHeader read(Memory memory) {
    String name = memory.name();
    long actual = memory.length();
    boolean headerFits = actual >= RegionLayout.HEADER_B + RegionLayout.LINE_BYTES;
    RegionHeader a = headerFits ? valid(memory, RegionLayout.HEADER_A) : null;
    RegionHeader b = headerFits ? valid(memory, RegionLayout.HEADER_B) : null;
    RegionHeader header = newer(a, b);
    if (header == null) {
      throw refuse(memory, headerFits);
    }
    if (a != null && b != null && !agree(a, b)) {
      throw new RegionDamagedException(
          "%s: the two copies of the region's header contradict each other: identity=%s and %s, sequence=%d and %d, at offsets 0x%X and 0x%X. The file was not touched; restore it from a backup"
              .formatted(
                  name,
                  a.identity,
                  b.identity,
                  a.sequence,
                  b.sequence,
                  RegionLayout.HEADER_A,
                  RegionLayout.HEADER_B));
    }
    if (header.isWithLog && !memory.hasLog()) {
      throw new RegionFormatException(
          "%s: the region was open for POWER_FAILURE on a disk and was not closed: it is complete only with its log, %s.log. Nothing was touched; open it by Holdfast.open"
              .formatted(name, name));
    }
    // HEADER-3. Test: RegionRefusalTest.lengthsThatNoRegionHas.
    if (header.length < RegionLayout.MIN_BYTES || header.length % RegionLayout.SPAN_BYTES != 0) {
      throw new RegionDamagedException(
          "%s: the region's header says a length that none has: length=%d bytes, min=%d, in whole spans of %d, at offset 0x%X. The file was not touched; restore it from a backup"
              .formatted(
                  name,
                  header.length,
                  RegionLayout.MIN_BYTES,
                  RegionLayout.SPAN_BYTES,
                  header.current + (long) LENGTH * RegionLayout.WORD_BYTES));
    }
    if (header.sequence
        > SEQUENCE_MAX) { // HEADER-3. Test: RegionRefusalTest.sequencesThatNoRegionHas
      throw new RegionDamagedException(
          "%s: the region's header has a sequence number that none has: sequence=0x%X, max=0x%X, at offset 0x%X. The file was not touched; restore it from a backup"
              .formatted(
                  name,
                  header.sequence,
                  SEQUENCE_MAX,
                  header.current + (long) STATE * RegionLayout.WORD_BYTES));
    }
    if (header.length > actual) {
      throw new RegionDamagedException(
          "%s: the region was truncated: length=%d bytes, expected=%d bytes. The file was not touched; restore it from a backup"
              .formatted(name, actual, header.length));
    }
    return header;
  }

  /// HEADER-3. Test: RegionRefusalTest.headersThatContradictEachOther.
  private static boolean agree(RegionHeader a, RegionHeader b) {
    return a.identity.equals(b.identity)
        && (a.sequence != b.sequence
            || a.length == b.length && a.state == b.state && a.isWithLog == b.isWithLog);
  }

  /// A copy of the header, as it is on media.
  ///
  /// @param offset where it is
  /// @param isValid whether its checksum and all else are right; if not, the others mean nothing
  /// @param sequence the copy of a higher one counts
  public record Copy(long offset, boolean isValid, long length, State state, long sequence) {}

  /// Both copies, whatever they are, for people to look at.
  public static List<Copy> copies(Memory memory) {
    return List.of(copy(memory, RegionLayout.HEADER_A), copy(memory, RegionLayout.HEADER_B));
  }

  private static Copy copy(Memory memory, long at) {
    RegionHeader found = valid(memory, at);
    return found == null
        ? new Copy(at, false, 0, null, 0)
        : new Copy(at, true, found.length, found.state, found.sequence);
  }

  /// @return `null` if it is not, or not there
  private static RegionHeader valid(Memory memory, long at) {
    if (memory.length() < at + RegionLayout.LINE_BYTES) {
      return null;
    }
    long[] words = words(memory, at);
    boolean ours =
        words[MAGIC_WORD] == MAGIC
            && (words[VERSION] == versionWord(COMPLETE) || words[VERSION] == versionWord(WITH_LOG))
            && words[GEOMETRY] == OUR_GEOMETRY
            && (words[STATE] & 0xff) < State.values().length
            && words[CHECKSUM] == checksum(words);
    return ours
        ? new RegionHeader(
            memory,
            at,
            new UUID(words[IDENTITY], words[IDENTITY + 1]),
            words[LENGTH],
            (words[STATE] & 0xff) == State.CLOSED.ordinal() ? State.CLOSED : State.OPEN,
            words[STATE] >>> 8,
            words[VERSION] == versionWord(WITH_LOG))
        : null;
  }

  /// Says which refusal it is, when neither copy is valid.
  private static RuntimeException refuse(Memory memory, boolean headerFits) {
    String name = memory.name();
    boolean magic =
        memory.length() >= RegionLayout.WORD_BYTES
            && memory.readPlain(RegionLayout.HEADER_A) == MAGIC;
    if (magic && !headerFits) {
      return new RegionDamagedException(
          "%s: the region was truncated: length=%d bytes, expected=at least %d bytes. The file was not touched; restore it from a backup"
              .formatted(name, memory.length(), RegionLayout.MIN_BYTES));
    }
    if (!magic && !(headerFits && memory.readPlain(RegionLayout.HEADER_B) == MAGIC)) {
      return new RegionFormatException(
          "%s: not a Holdfast region: found=0x%016X, expected=0x%016X at offset 0x0. The file was not touched; open another path"
              .formatted(name, memory.length() < 8 ? 0 : memory.readPlain(0), MAGIC));
    }
    long[] words = words(memory, magic ? RegionLayout.HEADER_A : RegionLayout.HEADER_B);
    int version = (int) words[VERSION];
    if (version > FORMAT_VERSION && (int) (words[VERSION] >>> 32) == BYTE_ORDER_MARK) {
      return new RegionFormatException(
          "%s: the region was written by a newer Holdfast: format=%d, supported=%d. The file was not touched; use a newer version"
              .formatted(name, version, FORMAT_VERSION));
    }
    if (Integer.reverseBytes(BYTE_ORDER_MARK) == (int) (words[VERSION] >>> 32)
        || BYTE_ORDER_MARK == Integer.reverseBytes((int) words[VERSION])) {
      return new RegionFormatException(
          "%s: the region was written in the other byte order: mark=0x%016X, expected=0x%016X at offset 0x8. The file was not touched; open it where it was written"
              .formatted(name, words[VERSION], versionWord(COMPLETE)));
    }
    return new RegionDamagedException(
        "%s: both copies of the region's header are damaged: checksum=0x%016X, expected=0x%016X at offset 0x%X. The file was not touched; restore it from a backup"
            .formatted(
                name,
                words[CHECKSUM],
                checksum(words),
                magic ? RegionLayout.HEADER_A : RegionLayout.HEADER_B));
  }

  private static long[] words(Memory memory, long at) {
    long[] words = new long[WORDS];
    for (int i = 0; i < WORDS; i++) {
      words[i] = memory.readPlain(at + (long) i * RegionLayout.WORD_BYTES);
    }
    return words;
  }

  private static long versionWord(int format) {
    return (long) BYTE_ORDER_MARK << 32 | format;
  }

  /// Of the first seven words; with what tells that it is one.
  static long checksum(long[] words) {
    ByteBuffer bytes =
        ByteBuffer.allocate(CHECKSUM * RegionLayout.WORD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < CHECKSUM; i++) {
      bytes.putLong(words[i]);
    }
    CRC32C crc = new CRC32C();
    crc.update(bytes.flip());
    return CHECKSUM_MARK | crc.getValue();
  }

  private void write(State newState, long newLength) {
    RegionHeader newest = newest(memory); // by rewrite
    long kept = newest == null ? current : newest.current;
    sequence = Math.max(sequence, newest == null ? 0 : newest.sequence) + 1;
    long[] words = new long[WORDS];
    words[MAGIC_WORD] = MAGIC;
    words[VERSION] = versionWord(memory.hasLog() ? WITH_LOG : COMPLETE);
    words[IDENTITY] = identity.getMostSignificantBits();
    words[IDENTITY + 1] = identity.getLeastSignificantBits();
    words[GEOMETRY] = OUR_GEOMETRY;
    words[LENGTH] = newLength;
    words[STATE] = sequence << 8 | newState.ordinal();
    words[CHECKSUM] = checksum(words);
    // HEADER-1. Test: RegionCrashTest.headerAlwaysHasAValidCopy. The last time may have been cut
    // off by an error of the JVM: so not first the one that is valid, and nobody uses a length that
    // is not here. Test: RegionHeaderTest.header1AnErrorInTheMiddle.
    writeCopy(RegionLayout.HEADER_A + RegionLayout.HEADER_B - kept, words);
    writeCopy(kept, words);
    state = newState;
    length = newLength;
  }

  private void writeCopy(long at, long[] words) {
    for (int i = 0; i < CHECKSUM; i++) {
      memory.writePlain(at + (long) i * RegionLayout.WORD_BYTES, words[i]);
    }
    // HEADER-1: the checksum last, and nothing of the other copy before it (the fence): otherwise a
    // crash could leave both copies invalid. Test: RegionCrashTest.headerAlwaysHasAValidCopy.
    memory.writeRelease(at + (long) CHECKSUM * RegionLayout.WORD_BYTES, words[CHECKSUM]);
    memory.releaseFence();
  }

  /// The region's random identity; a copy of the file has the same one.
  public UUID identity() {
    return identity;
  }

  /// The valid copy that counts; `null` if there is none.
  private static RegionHeader newest(Memory memory) {
    return newer(valid(memory, RegionLayout.HEADER_A), valid(memory, RegionLayout.HEADER_B));
  }

  private static RegionHeader newer(RegionHeader a, RegionHeader b) {
    return a == null || (b != null && b.sequence > a.sequence) ? b : a;
  }

  /// Whether what a memory has is complete only with a log. Of one that was truncated to less than
  /// a header nothing is known.
  public static boolean isWithLog(Memory memory) {
    RegionHeader newest = memory.length() > RegionLayout.PAGE_BYTES ? newest(memory) : null;
    return newest != null && newest.isWithLog;
  }

  /// Whether what a memory has is a region that was not closed.
  static boolean isOpen(Memory memory) {
    RegionHeader newest = newest(memory);
    return newest != null && newest.state == State.OPEN;
  }

  /// Has the header of a region say what its memory does: whether a log completes it.
  ///
  /// @return the region's length
  public static long rewrite(Memory memory) {
    RegionHeader header = Objects.requireNonNull(newest(memory), "no valid header");
    header.write(header.state, header.length);
    return header.length;
  }

  /// Bytes of the region; the file may be longer (LENGTH-1).
  public long length() {
    return length;
  }

  public State state() {
    return state;
  }

  /// The format's version, which is another one for as long as a log completes the region.
  public int format() {
    return isWithLog ? WITH_LOG : COMPLETE;
  }

  /// Whether the region was never open.
  public boolean isFresh() {
    return sequence == 1;
  }

  /// Records that the region is longer, its new bytes being there already, or shorter, the file
  /// being as long as it was (LENGTH-1).
  public void lengthChanged(long newLength) {
    write(state, newLength);
  }

  /// Records that the region is in use, or no longer.
  public void stateChanged(State newState) {
    write(newState, length);
  }

  /// Records that the region is no longer in use, and how long it is from now on.
  public void closed(long newLength) {
    write(State.CLOSED, newLength);
  }
}
