package io.holdfast.jmh.atlas;

import java.util.ArrayList;
import java.util.List;

/// Random swaps between the entries of an array with a lock for each (Gogte and others, Table 1,
/// *SPS*): an operation swaps two, under the locks of both. {@link ArraySwaps} is the same under
/// one lock for all.
///
/// | lines of place i |
/// |---|
/// | the number of the entry that is there, less i, in each word; so zeros are an array in order |
///
/// **SWAP-1** Each entry is at one place, whole. Tests: LockedSwapsTest, LockedSwapsRegionsTest.
public final class LockedSwaps extends FineLocked {
  private static final int PLACES = 64;
  private static final int LINE_WORDS = 8;

  private final int words;
  private final long root;

  /// @param words of an entry; a swap stores twice as many
  public LockedSwaps(ProgramMemory memory, int threads, int words) {
    super(memory, threads, PLACES);
    this.words = words;
    root = memory.root((int) at(PLACES, 0));
  }

  /// Where a word is in the root.
  private long at(int place, int word) {
    return ((long) place * Math.ceilDiv(words, LINE_WORDS) * LINE_WORDS + word) * Long.BYTES;
  }

  private long entry(int place, int word) {
    return memory.read(root + at(place, word)) + place;
  }

  @Override
  void change(long draw) {
    int first = OneLock.below(draw, PLACES);
    int other = OneLock.below(Long.rotateRight(draw, 7), PLACES);
    int one = Math.min(first, other);
    int two = Math.max(first, other);
    if (one != two) {
      lock(one);
      try {
        lock(two);
        try {
          swap(one, two);
        } finally {
          unlock(two);
        }
      } finally {
        unlock(one);
      }
    }
  }

  private void swap(int one, int two) {
    for (int word = 0; word < words; word++) {
      long entry = entry(one, word);
      memory.write(root + at(one, word), entry(two, word) - one);
      memory.write(root + at(two, word), entry - two);
    }
  }

  @Override
  public List<Long> content() {
    List<Long> entries = new ArrayList<>();
    for (int place = 0; place < PLACES; place++) {
      long entry = entry(place, 0);
      for (int word = 1; word < words; word++) {
        require(entry(place, word) == entry, "SWAP-1: torn, place=%d", place);
      }
      entries.add(entry);
    }
    require(
        entries.stream().filter(e -> e >= 0 && e < PLACES).distinct().count() == PLACES,
        "SWAP-1: entries=%s",
        entries);
    return entries;
  }
}
