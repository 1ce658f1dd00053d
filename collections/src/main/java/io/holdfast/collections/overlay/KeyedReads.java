package io.holdfast.collections.overlay;

import io.holdfast.codec.Encoded;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/// What a transaction has read of a map in place: keys with their values, and whatever else can be
/// read again and compared. What was read in a part is still so as long as the part has its number.
///
/// Confined to its thread.
final class KeyedReads {
  /// So many keys are looked through one by one.
  private static final int FEW = 16;

  /// Room for so many at first.
  private static final int LEAST = 4;

  /// Of a part that is to be read again.
  private static final long STALE = -1;

  private final KeyedStore store;
  private final KeyedStore.Look look = new KeyedStore.Look();

  private int size;

  /// `null` of another reading than of a key.
  private Encoded[] keys = new Encoded[LEAST];

  /// A key's value, `null` for none; else what reads again.
  private Object[] values = new Object[LEAST];

  /// In which part each was read: an index of PARTS.
  private int[] places = new int[LEAST];

  /// Where a key is, once there are many; by its bytes. What a sorted map's order takes for the
  /// same key is read again.
  private Map<Encoded, Integer> index;

  /// A bit for each key, by what is at hand of it: a key without its bit was not read.
  private long seen;

  private int partCount;
  private int[] parts = new int[LEAST];
  private long[] numbers = new long[LEAST];

  KeyedReads(KeyedStore store) {
    this.store = store;
  }

  void clear() {
    Arrays.fill(keys, 0, size, null);
    Arrays.fill(values, 0, size, null);
    size = 0;
    seen = 0;
    partCount = 0;
    index = null;
  }

  int size() {
    return size;
  }

  /// @return `null` if it is none of a key
  Encoded key(int reading) {
    return keys[reading];
  }

  /// The number of a key's reading; -1 if it was not read.
  int find(Encoded key) {
    if (index != null) {
      return index.getOrDefault(key, -1);
    }
    if ((seen & bit(key)) != 0) {
      for (int i = 0; i < size; i++) {
        if (key.equals(keys[i])) {
          return i;
        }
      }
    }
    return -1;
  }

  private static long bit(Encoded key) {
    return 1L << (key.length() == Long.BYTES ? Long.hashCode(key.word()) : key.length());
  }

  /// The value that a key had, `null` for none.
  Encoded value(int reading) {
    return (Encoded) values[reading];
  }

  /// Reads a key in place.
  Encoded read(Encoded key) {
    Encoded value = store.look(key, look);
    if (index == null && size == FEW) {
      index = new HashMap<>();
      for (int i = 0; i < size; i++) {
        if (keys[i] != null) {
          index.put(keys[i], i);
        }
      }
    }
    if (index != null) {
      index.put(key, size);
    }
    seen |= bit(key);
    add(key, value, look.part, look.number);
    return value;
  }

  /// Something else was read.
  ///
  /// @param again whether it is the same; is given the part's number when it is read again
  void add(int part, long number, Predicate<KeyedStore.Look> again) {
    add(null, again, part, number);
  }

  private void add(Encoded key, Object value, int part, long number) {
    if (size == keys.length) {
      keys = Arrays.copyOf(keys, 2 * size);
      values = Arrays.copyOf(values, 2 * size);
      places = Arrays.copyOf(places, 2 * size);
    }
    keys[size] = key;
    values[size] = value;
    places[size] = place(part, number);
    size++;
  }

  private int place(int part, long number) {
    for (int i = 0; i < partCount; i++) {
      if (parts[i] == part) {
        if (numbers[i] != number) {
          numbers[i] = STALE; // of two readings in it at least one is to be made again
        }
        return i;
      }
    }
    if (partCount == parts.length) {
      parts = Arrays.copyOf(parts, 2 * partCount);
      numbers = Arrays.copyOf(numbers, 2 * partCount);
    }
    parts[partCount] = part;
    numbers[partCount] = number;
    return partCount++;
  }

  /// Whether nothing has changed where it was read.
  boolean isStill() {
    return store.areStill(parts, numbers, partCount);
  }

  /// Reads again what may have changed.
  ///
  /// @return whether it is the same
  boolean isSame() {
    boolean[] isStale = new boolean[partCount];
    for (int i = 0; i < isStale.length; i++) {
      isStale[i] = !store.isStill(parts[i], numbers[i]);
      if (isStale[i]) {
        numbers[i] = store.number(parts[i]);
      }
    }
    for (int i = 0; i < size; i++) {
      if (isStale[places[i]]) {
        if (!isSame(i)) {
          return false;
        }
        places[i] = place(look.part, look.number);
        if (places[i] >= isStale.length) {
          isStale = Arrays.copyOf(isStale, partCount);
        }
      }
    }
    return true;
  }

  @SuppressWarnings("unchecked") // as they were added
  private boolean isSame(int reading) {
    if (keys[reading] == null) {
      return ((Predicate<KeyedStore.Look>) values[reading]).test(look);
    }
    Encoded now = store.look(keys[reading], look);
    return now == null ? values[reading] == null : now.equals(values[reading]);
  }
}
