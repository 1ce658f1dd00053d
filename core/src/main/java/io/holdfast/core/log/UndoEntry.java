package io.holdfast.core.log;

import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionLayout;

/// An entry of an undo log: 32 bytes, two to a line, never across lines.
///
/// | word | store | set, clear bits | dependency | link | range |
/// |---|---|---|---|---|---|
/// | 0 | target offset | target offset | slot of the other section | next chunk | target offset |
/// | 1 | old value | mask | its number | 0 | see {@link RangeEntry} |
/// | 2 | Lamport stamp | Lamport stamp | Lamport stamp | Lamport stamp | Lamport stamp |
/// | 3 | kind in the low byte, section number above it, bit 63 clear | | | | |
///
/// A range is followed by half lines that are part of it.
///
/// **ENTRY-1** Word 3 is stored last, with release: an entry that has it is whole. This is CSO-VB
/// (CSO paper, 3.1.1) with a validity *word* where the paper has a bit whose meaning flips with
/// every lap: the section numbers of a slot only grow, so an entry of an older lap shows a smaller
/// number, and there is no polarity to get wrong. See `docs/design.md`, "Section numbers instead of
/// laps".
///
/// **ENTRY-2** An entry is undone by a store that depends on the entry alone, or that sets or
/// clears bits which only its section may touch. So undoing a log twice, or a part of it and then
/// all, is the same as undoing it once.
public final class UndoEntry {
  /// Size of an entry.
  public static final int BYTES = 32;

  static final int TARGET = 0, VALUE = 8, STAMP = 16, META = 24;

  /// What an entry says; the ordinal is on media, so the order is part of the format.
  public enum Kind {
    /// No entry: what a log of zeros holds.
    NONE,
    /// Undone by storing the old value.
    STORE,
    /// Undone by setting the bits of the mask.
    SET_BITS,
    /// Undone by clearing the bits of the mask.
    CLEAR_BITS,
    /// The section is durable only if another one is.
    DEPENDENCY,
    /// The log goes on in another chunk.
    LINK,
    /// Undone by storing the old words: {@link RangeEntry}.
    RANGE;

    private static final Kind[] KINDS = values();

    /// The kind in a meta word, `null` if it is none of ours.
    public static Kind of(long meta) {
      int kind = (int) (meta & 0xff);
      return kind < KINDS.length ? KINDS[kind] : null;
    }
  }

  /// The meta word. Its bit 63 is clear: 2^55 sections of 10 ns each take 11 years in one slot.
  static long meta(Kind kind, long number) {
    return number << 8 | kind.ordinal();
  }

  /// The section number in a meta word; 0 if it is none but payload (RANGE-1).
  static long numberOf(long meta) {
    return meta < 0 ? 0 : meta >>> 8;
  }

  /// Whether a section may change some bytes, and recovery restore them: words of the region, after
  /// its headers, and not of its first logs.
  static boolean isTarget(Memory memory, long offset, long bytes) {
    return offset >= RegionLayout.ANCHOR_ROOTS
        && offset <= memory.length()
        && offset % RegionLayout.WORD_BYTES == 0
        && bytes >= 0
        && bytes <= memory.length() - offset
        && (offset >= RegionLayout.SPAN_BYTES || bytes <= RegionLayout.FIRST_SLOTS - offset);
  }

  private UndoEntry() {}
}
