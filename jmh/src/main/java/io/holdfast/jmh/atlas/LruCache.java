package io.holdfast.jmh.atlas;

import io.holdfast.jmh.map.Items;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// A cache as memcached is one (Atlas, 6.4.4; Clobber-NVM, Figure 2): a hash table with chains and
/// a list of the items by their last use, under one lock. Keys are of 16 bytes, values of 64.
///
/// A get that finds its key moves the item to the list's front. A set makes a new item in place of
/// the old one, as memcached does; if there is none, and the cache is full, the least recently used
/// item is evicted. The cache is full when it is new.
///
/// | block | word 0 | word 1 | word 2 | word 3 | then |
/// |---|---|---|---|---|---|
/// | root | items | the least recently used item | the most recently used one | sets so far | word 8 on: the first items of the chains |
/// | item | the next of its chain | the one used next after it | the one used last before it | its set's number | word 4, 5: the key; 6 to 13: the value |
///
/// **CACHE-1** Each item is in the chain of its key, once, and its value is that of its last set.
/// **CACHE-2** The list has the items of the chains, forwards as backwards, as many as the root
/// says and never more than there is room for.
///
/// The slabs are the heap's. Memcached moves an item once a minute at most; here each get does.
public final class LruCache extends OneLock {
  static final String SET = "set", GET = "get";
  private static final int CAPACITY = 1_024;
  private static final int NEWER = 8, OLDER = 16, SETS = 24;
  private static final int CHAINS_AT = 64;
  private static final int KEY = 32, VALUE = 48, VALUE_WORDS = 8;
  private static final int ITEM_BYTES = VALUE + VALUE_WORDS * Long.BYTES;

  private final long root;
  private final int setPercent;
  private final int capacity;

  /// What the last get has found; used under the lock.
  private final long[] found = new long[VALUE_WORDS];

  /// @param setPercent operations in a hundred that are sets; the others are gets
  public LruCache(ProgramMemory memory, int setPercent) {
    this(memory, setPercent, CAPACITY);
  }

  /// @param capacity items; two thirds of the keys that are asked for
  LruCache(ProgramMemory memory, int setPercent, int capacity) {
    super(memory);
    this.setPercent = setPercent;
    this.capacity = capacity;
    root = memory.root(CHAINS_AT + capacity * Long.BYTES);
    resume();
    while (memory.read(root) < capacity) {
      section(SET, 1 + memory.read(root));
    }
  }

  @Override
  void call(String function, long argument) {
    switch (function) {
      case SET -> set(argument);
      case GET -> get(argument);
      default -> super.call(function, argument);
    }
  }

  @Override
  void change(long draw) {
    long key = 1 + below(draw, capacity + capacity / 2);
    if (below(draw >>> 7 | draw << 57, 100) < setPercent) {
      set(key);
    } else {
      get(key);
    }
  }

  private long chain(long key) {
    return root + CHAINS_AT + Long.remainderUnsigned(Items.scatter(key), capacity) * Long.BYTES;
  }

  /// The word that leads to a key's item, or to none.
  private long link(long key) {
    long link = chain(key);
    long item = memory.read(link);
    while (item != 0 && !hasKey(item, key)) {
      link = item;
      item = memory.read(link);
    }
    return link;
  }

  private boolean hasKey(long item, long key) {
    return memory.read(item + KEY) == Items.scatter(key)
        && memory.read(item + KEY + Long.BYTES) == key;
  }

  private long keyOf(long item) {
    return memory.read(item + KEY + Long.BYTES);
  }

  /// A neighbour's word; the root stands between the newest item and the oldest one.
  private long at(long item, int direction) {
    return (item == 0 ? root : item) + direction;
  }

  private void get(long key) {
    long item = memory.read(link(key));
    if (item == 0) {
      return;
    }
    for (int i = 0; i < VALUE_WORDS; i++) {
      found[i] = memory.read(item + VALUE + (long) i * Long.BYTES);
    }
    long newest = memory.read(at(0, OLDER));
    if (item != newest) {
      unlink(item);
      newest = memory.read(at(0, OLDER));
      memory.write(item + NEWER, 0);
      memory.write(item + OLDER, newest);
      toFront(item, newest);
    }
  }

  private void set(long key) {
    long link = link(key);
    if (memory.read(link) != 0) {
      remove(link);
    } else if (memory.read(root) == capacity) {
      remove(link(keyOf(memory.read(at(0, NEWER)))));
    } else {
      memory.write(root, memory.read(root) + 1);
    }
    add(key);
  }

  private void remove(long link) {
    long item = memory.read(link);
    memory.write(link, memory.read(item));
    unlink(item);
    memory.free(item, ITEM_BYTES);
  }

  private void unlink(long item) {
    long newer = memory.read(item + NEWER);
    long older = memory.read(item + OLDER);
    memory.write(at(newer, OLDER), older);
    memory.write(at(older, NEWER), newer);
  }

  private void add(long key) {
    long number = memory.read(root + SETS) + 1;
    long newest = memory.read(at(0, OLDER));
    long item = memory.allocate(ITEM_BYTES);
    memory.writeNew(item, memory.read(chain(key)));
    memory.writeNew(item + NEWER, 0);
    memory.writeNew(item + OLDER, newest);
    memory.writeNew(item + SETS, number);
    memory.writeNew(item + KEY, Items.scatter(key));
    memory.writeNew(item + KEY + Long.BYTES, key);
    for (int i = 0; i < VALUE_WORDS; i++) {
      memory.writeNew(item + VALUE + (long) i * Long.BYTES, value(key, number, i));
    }
    memory.write(root + SETS, number);
    memory.write(chain(key), item);
    toFront(item, newest);
  }

  private void toFront(long item, long newest) {
    memory.write(at(newest, NEWER), item);
    memory.write(at(0, OLDER), item);
  }

  private static long value(long key, long number, int word) {
    return Items.scatter(key << 32 ^ number) + word;
  }

  /// Of each item its key and its set's number, the most recently used first; then all sets.
  @Override
  public List<Long> content() {
    List<Long> content = new ArrayList<>();
    Set<Long> items = new HashSet<>();
    long newer = 0;
    for (long item = memory.read(at(0, OLDER)); item != 0; item = memory.read(item + OLDER)) {
      require(memory.read(item + NEWER) == newer, "CACHE-2: key=%d", keyOf(item));
      require(items.add(item), "CACHE-2: a circle, key=%d", keyOf(item));
      checkItem(item);
      content.add(keyOf(item));
      content.add(memory.read(item + SETS));
      newer = item;
    }
    require(memory.read(at(0, NEWER)) == newer, "CACHE-2: the oldest is another");
    require(
        items.size() == memory.read(root) && items.size() <= capacity,
        "CACHE-2: listed=%d, items=%d",
        items.size(),
        memory.read(root));
    checkChains(items);
    content.add(memory.read(root + SETS));
    return content;
  }

  private void checkItem(long item) {
    long key = keyOf(item);
    long number = memory.read(item + SETS);
    require(number <= memory.read(root + SETS), "CACHE-1: key=%d, set=%d", key, number);
    require(memory.read(link(key)) == item, "CACHE-1: not in its chain, key=%d", key);
    for (int i = 0; i < VALUE_WORDS; i++) {
      require(
          memory.read(item + VALUE + (long) i * Long.BYTES) == value(key, number, i),
          "CACHE-1: torn, key=%d",
          key);
    }
  }

  private void checkChains(Set<Long> items) {
    int chained = 0;
    for (int i = 0; i < capacity; i++) {
      long item = memory.read(root + CHAINS_AT + (long) i * Long.BYTES);
      for (; item != 0; item = memory.read(item)) {
        require(items.contains(item), "CACHE-2: not in the list, key=%d", keyOf(item));
        chained++;
      }
    }
    require(chained == items.size(), "CACHE-1: chained=%d, listed=%d", chained, items.size());
  }

  @Override
  public int blocks() {
    return 1 + (int) memory.read(root);
  }
}
