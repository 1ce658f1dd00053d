package io.holdfast.collections.tree.leaf;

import static io.holdfast.collections.tree.node.TreeLayout.LINE_WORDS;
import static io.holdfast.collections.tree.node.TreeLayout.NONE;
import static io.holdfast.collections.tree.node.TreeLayout.RECORD_LINES;
import static io.holdfast.collections.tree.node.TreeLayout.WORDS;

import io.holdfast.collections.tree.node.TreeLayout;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.memory.Memory;

/// What a leaf's lines of records say, whatever its hints say: reads them from the first on, up to
/// the last that is whole (TREE-1).
///
/// For whoever holds the leaf's lock.
public final class LeafLog {
  private final Memory memory;
  private final long leaf;

  /// For each place whether a live record begins there.
  private final boolean[] live = new boolean[WORDS];

  private boolean hasPrefix;
  private int tail;

  private LeafLog(Memory memory, long leaf) {
    this.memory = memory;
    this.leaf = leaf;
  }

  /// @throws RegionDamagedException if the records contradict themselves
  public static LeafLog read(Memory memory, long leaf) {
    LeafLog log = new LeafLog(memory, leaf);
    while (log.next()) {
      // Goes on.
    }
    return log;
  }

  /// The place after the last record.
  public int tail() {
    return tail;
  }

  public boolean isLive(int place) {
    return live[place];
  }

  private int covered(int line) {
    long meta = memory.readPlain(TreeLayout.lineAt(leaf, line));
    if (meta < 0 || meta > LINE_WORDS) {
      throw damaged("words of a line", meta, line * LINE_WORDS);
    }
    return (int) meta;
  }

  private boolean next() {
    int line = tail / LINE_WORDS;
    int place = tail;
    if (line < RECORD_LINES && tail % LINE_WORDS >= covered(line)) {
      // A record that had no room in the line's rest begins the next one.
      line++;
      place = line * LINE_WORDS;
      if (tail % LINE_WORDS == 0) {
        return false;
      }
    }
    if (line >= RECORD_LINES || covered(line) == 0) {
      return false;
    }
    long header = memory.readPlain(TreeLayout.at(leaf, place));
    int words = TreeLayout.words(header);
    boolean isPrefix = place == 0 && Prefix.isPlausible(header);
    hasPrefix |= isPrefix;
    boolean isRemoval = TreeLayout.kind(header) == TreeLayout.KIND_REMOVAL;
    int gone = TreeLayout.gone(header);
    if (!isRemoval && !isPrefix && !RecordSource.isPlausible(place, header)
        || TreeLayout.isShort(header) && !hasPrefix
        || gone != NONE && (gone >= place || !live[gone])
        || isRemoval && gone == NONE) {
      throw damaged("header of a record", header, place);
    }
    if (!isWhole(place, words)) {
      return false;
    }
    if (gone != NONE) {
      live[gone] = false;
    }
    live[place] = !isRemoval && !isPrefix;
    tail = place + words;
    return true;
  }

  /// TREE-1.
  private boolean isWhole(int place, int words) {
    int end = place + words;
    for (int line = place / LINE_WORDS; line * LINE_WORDS < end; line++) {
      if (covered(line) < Math.min(LINE_WORDS, end - line * LINE_WORDS)) {
        return false;
      }
    }
    return true;
  }

  private RegionDamagedException damaged(String what, long found, int place) {
    return new RegionDamagedException(
        "%s: the region is damaged: a tree's leaf: %s=0x%X, place=%d, leaf offset=0x%X. Restore it from a backup"
            .formatted(memory.name(), what, found, place, leaf));
  }

  /// Takes back what a crash has left of a record that is not whole (TREE-2).
  void scrub() {
    boolean scrubbed = false;
    int first = (tail + LINE_WORDS - 1) / LINE_WORDS;
    for (int line = first; line < RECORD_LINES; line++) {
      if (covered(line) != 0) {
        long at = TreeLayout.lineAt(leaf, line);
        memory.writePlain(at, 0);
        memory.flush(at, Long.BYTES);
        scrubbed = true;
      }
    }
    if (scrubbed) {
      // Before the next record. Test: TreeCrashTest.tree2TheBeginningOfARecordIsTakenBack.
      memory.releaseFence();
      // Test: TreeCrashTest.tree2PartsOfARecordAreTakenBack.
      memory.fence();
    }
  }
}
