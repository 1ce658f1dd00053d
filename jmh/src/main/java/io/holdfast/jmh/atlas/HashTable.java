package io.holdfast.jmh.atlas;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// A hash table with chains (thesis, Table 4.2, *hash*): an operation searches a key, and inserts
/// it or, if it is there, deletes it.
///
/// | block | word 0 | word 1 | word 2 to 63 |
/// |---|---|---|---|
/// | root | the first entries of 64 chains | | |
/// | entry | its key, from 1 on | the next entry of its chain | its key |
///
/// **HASH-1** Each entry is in the chain of its key, once, and whole.
public final class HashTable extends OneLock {
  private static final int CHAINS = 64;
  private static final int KEYS = 256;
  private static final int NEXT = 8;

  private final long root;

  public HashTable(ProgramMemory memory) {
    super(memory);
    root = memory.root(CHAINS * Long.BYTES);
  }

  private long chain(long key) {
    return root + key % CHAINS * Long.BYTES;
  }

  @Override
  void change(long draw) {
    long key = 1 + below(draw, KEYS);
    long link = chain(key);
    long entry = memory.read(link);
    while (entry != 0 && memory.read(entry) != key) {
      link = entry + NEXT;
      entry = memory.read(link);
    }
    if (entry != 0) {
      memory.write(link, memory.read(entry + NEXT));
      memory.free(entry, ENTRY_BYTES);
      return;
    }
    entry = memory.allocate(ENTRY_BYTES);
    for (int i = 0; i < ENTRY_WORDS; i++) {
      memory.writeNew(entry + (long) i * Long.BYTES, key);
    }
    memory.writeNew(entry + NEXT, memory.read(chain(key)));
    memory.write(chain(key), entry);
  }

  @Override
  public List<Long> content() {
    List<Long> keys = new ArrayList<>();
    for (int i = 0; i < CHAINS; i++) {
      long entry = memory.read(root + (long) i * Long.BYTES);
      for (; entry != 0; entry = memory.read(entry + NEXT)) {
        long key = memory.read(entry);
        require(key % CHAINS == i, "HASH-1: key=%d, chain=%d", key, i);
        for (int word = 2; word < ENTRY_WORDS; word++) {
          require(
              memory.read(entry + (long) word * Long.BYTES) == key,
              "HASH-1: key=%d, word=%d",
              key,
              word);
        }
        keys.add(key);
      }
    }
    Collections.sort(keys);
    require(keys.stream().distinct().count() == keys.size(), "HASH-1: keys=%s", keys);
    return keys;
  }

  @Override
  public int blocks() {
    return 1 + content().size();
  }
}
