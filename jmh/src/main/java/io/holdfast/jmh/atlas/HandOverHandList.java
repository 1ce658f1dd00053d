package io.holdfast.jmh.atlas;

import java.util.ArrayList;
import java.util.List;

/// A sorted list whose nodes' locks are passed hand over hand (Gogte and others, Table 1, *linked
/// list*): an operation walks to a drawn key, and puts it, which changes its value, or removes it.
/// If visits are counted, it also stores a word in each node that it passes.
///
/// | node, at the place of its key | word 0 | word 1 | word 8 on |
/// |---|---|---|---|
/// | 0, before the first | the first key | visits | |
/// | a key, from 1 on | the next key, 0 for none | visits | its value, how often it was put, in each word |
///
/// **HOH-1** Along the list keys rise. **HOH-2** Values are whole.
///
/// Tests: HandOverHandListTest, HandOverHandRegionsTest.
public final class HandOverHandList extends FineLocked {
  private static final int KEYS = 16;
  private static final int HEAD = 0;
  private static final int VISITS = 8;
  private static final int VALUE = 64;

  private final int valueWords;
  private final boolean countsVisits;
  private final long root;

  /// @param valueWords that a put stores
  /// @param countsVisits whether an operation stores on its way
  public HandOverHandList(ProgramMemory memory, int threads, int valueWords, boolean countsVisits) {
    super(memory, threads, 1 + KEYS);
    this.valueWords = valueWords;
    this.countsVisits = countsVisits;
    root = memory.root((1 + KEYS) * nodeBytes());
  }

  private int nodeBytes() {
    return VALUE + Math.ceilDiv(valueWords, Long.BYTES) * VALUE;
  }

  private long node(int key) {
    return root + (long) key * nodeBytes();
  }

  private int next(int key) {
    return (int) memory.read(node(key));
  }

  private long word(int key, int word) {
    return node(key) + VALUE + (long) word * Long.BYTES;
  }

  @Override
  void change(long draw) {
    int key = 1 + OneLock.below(draw, KEYS);
    int held = HEAD;
    lock(HEAD);
    try {
      for (int next = next(held); next != 0 && next < key; next = next(held)) {
        visit(held);
        lock(next);
        unlock(held);
        held = next;
      }
      boolean isThere = next(held) == key;
      if (draw < 0) {
        put(held, key, isThere);
      } else if (isThere) {
        remove(held, key);
      }
    } finally {
      unlock(held);
    }
  }

  private void visit(int key) {
    if (countsVisits) {
      memory.write(node(key) + VISITS, memory.read(node(key) + VISITS) + 1);
    }
  }

  /// A node that is in no list is locked by whoever holds the one before its place.
  private void put(int before, int key, boolean isThere) {
    lock(key);
    try {
      for (int word = 0; word < valueWords; word++) {
        memory.write(word(key, word), memory.read(word(key, word)) + 1);
      }
      if (!isThere) {
        memory.write(node(key), next(before));
        memory.write(node(before), key);
      }
    } finally {
      unlock(key);
    }
  }

  private void remove(int before, int key) {
    lock(key); // nobody walks over it
    try {
      memory.write(node(before), next(key));
    } finally {
      unlock(key);
    }
  }

  /// Keys and their values, and the values of keys that were removed.
  @Override
  public List<Long> content() {
    List<Long> content = new ArrayList<>();
    int before = HEAD;
    for (int key = next(HEAD); key != 0; key = next(key)) {
      require(key > before && key <= KEYS, "HOH-1: key=%d, before=%d", key, before);
      content.add((long) key);
      before = key;
    }
    for (int key = 1; key <= KEYS; key++) {
      long value = memory.read(word(key, 0));
      for (int word = 1; word < valueWords; word++) {
        require(memory.read(word(key, word)) == value, "HOH-2: key=%d, word=%d", key, word);
      }
      content.add(value);
    }
    return content;
  }
}
