package io.holdfast.collections.map.word;

import static io.holdfast.core.memory.RegionLayout.LINE_BYTES;
import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;

import io.holdfast.collections.map.slot.MapLayout;
import io.holdfast.core.memory.Memory;

/// A map whose keys and values are all of eight bytes, on media: the root block, stripes and
/// directories of `MapLayout`, and segments that have the entries in them. A stripe has no chunks,
/// and of its words uses DIRECTORY, and these:
///
/// | offset | content |
/// |---|---|
/// | 8 | COUNTING: not 0 while an operation outside of sections changes how many entries there are |
/// | 48 | COUNT: how many entries there are |
///
/// Segment, 63 lines; 62 of them have four pairs of words each, a key and its value:
///
/// | offset | content |
/// |---|---|
/// | 0 | its own depth |
/// | 8 | DISPLACED: for each line one bit, which is set if a key of that line is in another one |
/// | 16, 24 | of the key 0: 1 if it is there, and its value |
/// | 64 | the pairs; the key 0 stands for no entry |
///
/// **WORDS-1** A pair holds an entry if its key is not 0. The value is stored before the key, in
/// the same line, so an insertion is one store (MEDIA-1, MEDIA-2), and so are an update and a
/// removal. Nothing else leads to an entry but its segment. Tests: WordMapCrashTest.words1Updates,
/// WordMapCrashTest.words1InsertionsAndRemovals.
///
/// **WORDS-2** A key is in the line that its hash says; if there was no room, in one of the next
/// seven, behind the last line the first one, and then the bit of its own line is set, durably
/// before. So a key that is in neither its line nor behind a bit is not there. A bit may be set for
/// nothing. Test: WordMapCrashTest.words2DisplacedKeys.
///
/// **WORDS-3** COUNT is right if COUNTING is 0; else it is counted again. After a loss of power it
/// is, for neither is flushed. Test: WordMapCrashTest.words1InsertionsAndRemovals.
public final class WordLayout {
  public static final int COUNTING = MapLayout.INTENT, COUNT = MapLayout.COUNT;
  public static final int DISPLACED = WORD_BYTES, ZERO = 2 * WORD_BYTES;
  public static final int LINES = MapLayout.SEGMENT_LINES - 1;
  public static final int PAIR_BYTES = 2 * WORD_BYTES;

  /// How many lines a key can be in. With eight, a segment is split when four fifths of it are
  /// full, by a simulation; with four at two thirds, with one at a third.
  public static final int REACH = 8;

  /// The number of a key's line, by bits 8 to 31 of its hash.
  public static int line(long hash) {
    return (int) ((hash >>> 8 & 0xffffff) * LINES >>> 24);
  }

  /// Where a line is.
  public static long lineAt(long segment, int line) {
    return segment + LINE_BYTES + (long) line * LINE_BYTES;
  }

  /// Which line is some lines further.
  public static int further(int line, int lines) {
    int sum = line + lines;
    return sum < LINES ? sum : sum - LINES;
  }

  /// The number of the line that a pair is in.
  static int lineOf(long segment, long at) {
    return (int) ((at - segment) / LINE_BYTES) - 1;
  }

  /// Whether a key can be in a pair.
  public static boolean isInReach(long segment, long at, long hash, long key) {
    int further = lineOf(segment, at) - line(hash);
    return key == 0 ? at == segment + ZERO : (further < 0 ? further + LINES : further) < REACH;
  }

  /// Whether a segment has keys of a line in others.
  public static boolean isDisplaced(Memory memory, long segment, int line) {
    return (memory.readPlain(segment + DISPLACED) >>> line & 1) != 0;
  }

  /// The key's word in its pair, if it is there: in that of 0 it is another one.
  public static long present(long key) {
    return key == 0 ? 1 : key;
  }

  private WordLayout() {}
}
