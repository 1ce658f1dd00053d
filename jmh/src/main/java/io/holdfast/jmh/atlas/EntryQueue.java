package io.holdfast.jmh.atlas;

import java.util.ArrayList;
import java.util.List;

/// A queue of large entries under one lock (thesis, Table 4.2, *queue*): an operation adds an entry
/// at the end or takes the first one, as the draw says and the length allows.
///
/// | block | word 0 | word 1 | word 2 | word 3 to 63 |
/// |---|---|---|---|---|
/// | root | the first entry | the last one, while there is a first | entries ever added | |
/// | entry | its number | the next entry | its number | its number |
///
/// **EQUEUE-1** The entries that can be reached from the first have numbers that follow each other,
/// end with the last, and are whole.
public final class EntryQueue extends OneLock {
  private static final int LENGTH_MAX = 64;
  private static final int LAST = 8, ADDED = 16;
  private static final int ROOT_BYTES = 64;
  private static final int NEXT = 8;

  private final long root;

  public EntryQueue(ProgramMemory memory) {
    super(memory);
    root = memory.root(ROOT_BYTES);
  }

  @Override
  void change(long draw) {
    long first = memory.read(root);
    long length = first == 0 ? 0 : memory.read(root + ADDED) - memory.read(first);
    if (length == 0 || length < LENGTH_MAX && draw < 0) {
      add(first);
    } else {
      memory.write(root, memory.read(first + NEXT));
      memory.free(first, ENTRY_BYTES);
    }
  }

  private void add(long first) {
    long number = memory.read(root + ADDED);
    long entry = memory.allocate(ENTRY_BYTES);
    for (int i = 0; i < ENTRY_WORDS; i++) {
      memory.writeNew(entry + (long) i * Long.BYTES, number);
    }
    memory.writeNew(entry + NEXT, 0);
    memory.write(first == 0 ? root : memory.read(root + LAST) + NEXT, entry);
    memory.write(root + LAST, entry);
    memory.write(root + ADDED, number + 1);
  }

  @Override
  public List<Long> content() {
    List<Long> numbers = new ArrayList<>();
    for (long entry = memory.read(root); entry != 0; entry = memory.read(entry + NEXT)) {
      long number = memory.read(entry);
      for (int word = 2; word < ENTRY_WORDS; word++) {
        require(
            memory.read(entry + (long) word * Long.BYTES) == number,
            "EQUEUE-1: torn, number=%d",
            number);
      }
      require(numbers.isEmpty() || number == numbers.getLast() + 1, "EQUEUE-1: number=%d", number);
      require(
          memory.read(entry + NEXT) != 0 || entry == memory.read(root + LAST),
          "EQUEUE-1: the last is another, number=%d",
          number);
      numbers.add(number);
    }
    long added = memory.read(root + ADDED);
    require(numbers.isEmpty() || numbers.getLast() == added - 1, "EQUEUE-1: added=%d", added);
    numbers.add(added);
    return numbers;
  }

  @Override
  public int blocks() {
    return content().size(); // the root, and one for each but the last number
  }
}
