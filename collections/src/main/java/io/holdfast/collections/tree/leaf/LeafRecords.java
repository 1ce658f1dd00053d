package io.holdfast.collections.tree.leaf;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.tree.node.KeyOrder;
import io.holdfast.collections.tree.node.TreeLayout;
import java.util.Objects;

/// Entries of any keys and values: a copy of the leaf, and the places of their records, from which
/// each is made when it is asked for.
public final class LeafRecords extends LeafEntries {
  public static final LeafRecords NONE = new LeafRecords(null, 0);

  private final LeafCopy copy;
  private final int[] places;
  private int size;

  /// Values that lie in blocks of their own, by the places of their records; `null` if there are
  /// none.
  private Encoded[] outside;

  private LeafRecords(LeafCopy copy, int slots) {
    this.copy = copy;
    this.places = new int[slots];
  }

  static LeafRecords read(LeafCopy copy, Leaf leafs, long leaf, boolean isLocked) {
    long live = copy.live();
    LeafRecords entries = new LeafRecords(copy, Long.bitCount(live));
    for (; live != 0; live &= live - 1) {
      int place = copy.place(Long.numberOfTrailingZeros(live));
      if (TreeLayout.kind(copy.header(place)) == TreeLayout.KIND_OUTSIDE) {
        entries.readOutside(place, leafs.value(leaf, place, isLocked));
      }
      entries.places[entries.size++] = place;
    }
    return entries;
  }

  private void readOutside(int place, Encoded value) {
    if (outside == null) {
      outside = new Encoded[TreeLayout.WORDS];
    }
    outside[place] = value;
  }

  /// Sorts by insertion: entries that were put into a new leaf together are in order already.
  @Override
  public void select(KeyOrder order, Encoded from, boolean inclusive, boolean ascending) {
    Encoded[] keys = new Encoded[size];
    int sorted = 0;
    for (int i = 0; i < size; i++) {
      int place = places[i];
      Encoded key = copy.key(place);
      if (from == null || isBehind(order.compare(key, from), inclusive, ascending)) {
        int at = sorted;
        if (at > 0 && isBefore(order, key, keys[at - 1], ascending)) {
          at = before(order, keys, at - 1, key, ascending);
        }
        System.arraycopy(keys, at, keys, at + 1, sorted - at);
        System.arraycopy(places, at, places, at + 1, sorted - at);
        keys[at] = key;
        places[at] = place;
        sorted++;
      }
    }
    size = sorted;
  }

  private static boolean isBefore(KeyOrder order, Encoded one, Encoded other, boolean ascending) {
    return ascending ? order.compare(one, other) < 0 : order.compare(one, other) > 0;
  }

  /// How many of the first keys come before one.
  private static int before(
      KeyOrder order, Encoded[] keys, int count, Encoded key, boolean ascending) {
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = low + high >>> 1;
      if (isBefore(order, keys[middle], key, ascending)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  @Override
  public int size() {
    return size;
  }

  private int placeOf(int index) {
    return places[Objects.checkIndex(index, size)];
  }

  @Override
  public Encoded key(int index) {
    return copy.key(placeOf(index));
  }

  @Override
  public Encoded value(int index) {
    int place = placeOf(index);
    return outside != null && outside[place] != null ? outside[place] : copy.stored(place);
  }
}
