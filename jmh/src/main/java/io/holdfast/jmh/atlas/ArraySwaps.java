package io.holdfast.jmh.atlas;

import java.util.ArrayList;
import java.util.List;

/// Random swaps between the entries of an array (thesis, Table 4.2, *sps*): an operation swaps two.
///
/// | word 64 i to 64 i + 63 |
/// |---|
/// | the number of the entry that is at place i, less i; so zeros are an array in order |
///
/// **SPS-1** Each entry is at one place, whole.
public final class ArraySwaps extends OneLock {
  private static final int PLACES = 64;

  private final long root;
  private final int words;

  public ArraySwaps(ProgramMemory memory) {
    this(memory, ENTRY_WORDS);
  }

  /// @param words of an entry
  ArraySwaps(ProgramMemory memory, int words) {
    super(memory);
    this.words = words;
    root = memory.root(PLACES * words * Long.BYTES);
  }

  private long at(int place, int word) {
    return root + ((long) place * words + word) * Long.BYTES;
  }

  @Override
  void change(long draw) {
    int one = below(draw, PLACES);
    int other = below(draw >>> 7 | draw << 57, PLACES);
    for (int word = 0; word < words && one != other; word++) {
      long first = memory.read(at(one, word)) + one;
      long second = memory.read(at(other, word)) + other;
      memory.write(at(one, word), second - one);
      memory.write(at(other, word), first - other);
    }
  }

  @Override
  public List<Long> content() {
    List<Long> entries = new ArrayList<>();
    for (int place = 0; place < PLACES; place++) {
      long entry = memory.read(at(place, 0)) + place;
      for (int word = 1; word < words; word++) {
        require(memory.read(at(place, word)) + place == entry, "SPS-1: torn, place=%d", place);
      }
      entries.add(entry);
    }
    require(
        entries.stream().filter(e -> e >= 0 && e < PLACES).distinct().count() == PLACES,
        "SPS-1: entries=%s",
        entries);
    return entries;
  }

  @Override
  public int blocks() {
    return 1;
  }
}
