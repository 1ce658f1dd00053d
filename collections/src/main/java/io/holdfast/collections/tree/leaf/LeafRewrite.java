package io.holdfast.collections.tree.leaf;

import static io.holdfast.collections.tree.node.TreeLayout.LEAF_BYTES;
import static io.holdfast.collections.tree.node.TreeLayout.NONE;
import static io.holdfast.collections.tree.node.TreeLayout.SLOTS;
import static io.holdfast.collections.tree.node.TreeLayout.WORDS;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.tree.leaf.LeafImage.Item;
import io.holdfast.collections.tree.node.Inner;
import io.holdfast.collections.tree.node.Inner.Child;
import io.holdfast.collections.tree.node.KeyOrder;
import io.holdfast.collections.tree.node.Path;
import io.holdfast.collections.tree.node.StructureChange;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.section.Section;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/// Puts the entries of leaves into new ones: splits a leaf, rids it of dead records, or merges it
/// with a neighbour (TREE-4).
///
/// For whoever holds the leaf's lock; locks what leads to it.
final class LeafRewrite {
  /// A leaf is written anew, and not split, if its live records take so much at most.
  private static final int ANEW_WORDS_MAX = WORDS * 3 / 4;

  private static final int ANEW_SLOTS_MAX = SLOTS * 3 / 4;

  /// What leaves of a split take at most, but for their last record: with the longest one, and what
  /// it leaves of a line, that is less than a leaf.
  private static final int SPLIT_WORDS_MAX = 150;

  /// So many entries that came in last, in order and at an end, tell that others will follow there.
  private static final int RUN = 3;

  private final Memory memory;
  private final Leaf leafs;
  private final LeafHints hints;
  private final Inner inner;
  private final TreeEpoch epoch;
  private final KeyOrder order;
  private final Comparator<Item> byKey;

  LeafRewrite(TreeParts parts) {
    this.memory = parts.memory();
    this.leafs = parts.leafs();
    this.hints = parts.hints();
    this.inner = parts.inner();
    this.epoch = parts.epoch();
    this.order = parts.order();
    this.byKey = (one, other) -> order.compare(one.key(), other.key());
  }

  /// Puts a leaf's entries, without one and with another one, into as many leaves as they need.
  ///
  /// @param old the place of the record to leave out, or `NONE`
  /// @param added `null` for none
  void rewrite(Operation operation, long leaf, Encoded key, int old, Item added) {
    List<Item> items = items(leaf, old);
    boolean atEnd = old == NONE && isRun(items, added, 1);
    boolean atStart = old == NONE && isRun(items, added, -1);
    if (added != null) {
      items.add(added);
    }
    sort(items);
    Prefix prefix = prefix(items, leafs.prefix(leaf));
    Section section = operation.section;
    StructureChange change = operation.change();
    try {
      int leaves = leavesFor(items, prefix, added == null);
      List<Child> news = new ArrayList<>();
      if (leaves == 2 && atEnd) {
        news.add(new Child(leaf, items.getFirst().key()));
        news.add(makeForRun(change, added, prefix));
      } else if (leaves == 2 && atStart) {
        news.add(makeForRun(change, added, prefix));
        news.add(new Child(leaf, items.get(1).key()));
      } else {
        news.addAll(leaves(change, items, prefix, leaves));
        change.freeLater(leaf);
      }
      Path path = change.lock(leaf, key);
      if (news.isEmpty() && path.height == 0) {
        news.add(make(change, items, Prefix.NONE));
      }
      change.replace(section, path.chosen[1], 1, news);
    } catch (RuntimeException | Error e) {
      change.drop(section);
      throw e;
    }
  }

  /// Whether a new key, and the last entries of a leaf in the order in which they came, are its
  /// greatest, or least.
  ///
  /// @param items in that order
  private boolean isRun(List<Item> items, Item added, int direction) {
    if (added == null || items.size() < RUN) {
      return false;
    }
    Item next = added;
    for (int i = items.size() - 1; i >= 0; i--) {
      Item item = items.get(i);
      if (direction * byKey.compare(item, next) >= 0) {
        return false;
      }
      if (i >= items.size() - RUN) {
        next = item;
      }
    }
    return true;
  }

  /// The live entries of a leaf, in the order in which they came.
  private List<Item> items(long leaf, int without) {
    LeafCopy copy = leafs.copy(leaf);
    int[] places = new int[SLOTS];
    int count = 0;
    for (long live = copy.live(); live != 0; live &= live - 1) {
      int place = copy.place(Long.numberOfTrailingZeros(live));
      if (place != without) {
        places[count++] = place;
      }
    }
    Arrays.sort(places, 0, count);
    List<Item> items = new ArrayList<>(count + 1);
    for (int i = 0; i < count; i++) {
      items.add(copy.item(places[i]));
    }
    return items;
  }

  private void sort(List<Item> items) {
    if (!order.isOfWords() || !sortWords(items)) {
      items.sort(byKey);
    }
  }

  /// Sorts by words that are near each other, as in `LeafWords`.
  ///
  /// @return false if they are not; nothing has changed
  private static boolean sortWords(List<Item> items) {
    long least = Long.MAX_VALUE;
    long greatest = Long.MIN_VALUE;
    for (Item item : items) {
      least = Math.min(least, item.key().word());
      greatest = Math.max(greatest, item.key().word());
    }
    if (greatest - least >>> Long.SIZE - 1 - Byte.SIZE != 0 || items.size() > 1 << Byte.SIZE) {
      return false;
    }
    long[] packed = new long[items.size()];
    for (int i = 0; i < packed.length; i++) {
      packed[i] = items.get(i).key().word() - least << Byte.SIZE | i;
    }
    Arrays.sort(packed);
    Item[] before = items.toArray(Item[]::new);
    for (int i = 0; i < packed.length; i++) {
      items.set(i, before[(int) packed[i] & 0xff]);
    }
    return true;
  }

  /// The prefix with which entries take least.
  ///
  /// @param items in order
  /// @param other one that may do, too
  private Prefix prefix(List<Item> items, Prefix other) {
    return order.isOfWords() ? Prefix.NONE : Prefix.of(items, other);
  }

  private static int leavesFor(List<Item> items, Prefix prefix, boolean isRemoval) {
    int words = prefix.packed(items);
    if (items.isEmpty()) {
      return 0;
    }
    boolean fits = words <= WORDS && items.size() <= SLOTS;
    boolean roomy = words <= ANEW_WORDS_MAX && items.size() <= ANEW_SLOTS_MAX;
    if (roomy || isRemoval && fits) {
      return 1;
    }
    int own = prefix.words();
    return Math.max(2, Math.ceilDiv(words - own, SPLIT_WORDS_MAX - own));
  }

  /// Makes leaves that share some entries.
  ///
  /// @param prefix with which they are that many
  private List<Child> leaves(StructureChange change, List<Item> items, Prefix prefix, int count) {
    List<Child> made = new ArrayList<>();
    int own = prefix.words();
    int words = count == 0 ? 0 : own + (prefix.packed(items) - own) / count;
    int from = 0;
    for (int i = 1; i <= count && from < items.size(); i++) {
      int to = from;
      int tail = own;
      while (to < items.size() && (i == count || tail < words)) {
        tail = prefix.packed(tail, items.get(to++));
      }
      List<Item> part = items.subList(from, to);
      made.add(make(change, part, prefix(part, prefix)));
      from = to;
    }
    return made;
  }

  /// Makes a leaf of one entry. Others will follow it, and are likely to begin as it does.
  private Child makeForRun(StructureChange change, Item item, Prefix prefix) {
    boolean isShared = prefix.covers(item.key());
    return make(change, List.of(item), isShared ? prefix : Prefix.NONE);
  }

  private Child make(StructureChange change, List<Item> items, Prefix prefix) {
    LeafImage image = new LeafImage();
    image.begin(prefix);
    for (Item item : items) {
      image.add(prefix.shortened(item), leafs.fingerprint(item.key()));
    }
    long leaf = change.allocate(LEAF_BYTES);
    image.writeTo(memory, leaf, epoch.current());
    return new Child(leaf, items.isEmpty() ? null : items.getFirst().key());
  }

  /// Makes the first leaf of a tree that has none.
  ///
  /// For whoever holds the lock that an empty tree's leaf would have.
  void makeFirst(Operation operation) {
    Section section = operation.section;
    StructureChange change = operation.change();
    try {
      change.lock(0, null);
      change.replace(section, 0, 1, List.of(make(change, List.of(), Prefix.NONE)));
    } catch (RuntimeException | Error e) {
      change.drop(section);
      throw e;
    }
  }

  /// Merges a leaf that has few entries with a neighbour of the same parent, if the two have not
  /// too many and nobody is in the neighbour; takes one that has none out of the tree.
  void merge(Operation operation, long leaf, Encoded key) {
    Section section = operation.section;
    StructureChange change = operation.change();
    try {
      Path path = change.lock(leaf, key);
      int chosen = path.chosen[1];
      List<Item> items = items(leaf, NONE);
      if (path.height > 0 && items.isEmpty()) {
        change.freeLater(leaf);
        change.replace(section, chosen, 1, List.of());
      } else if (path.height > 0 && path.counts[1] > 1) {
        int with = chosen + 1 < path.counts[1] ? chosen + 1 : chosen - 1;
        long neighbour = inner.child(path.nodes[1], with);
        if (operation.tryNeighbour(neighbour)) {
          hints.prepare(operation, neighbour);
          items.addAll(items(neighbour, NONE));
          sort(items);
          Prefix prefix = prefix(items, leafs.prefix(neighbour));
          if (leavesFor(items, prefix, false) == 1) {
            change.freeLater(leaf);
            change.freeLater(neighbour);
            List<Child> merged = List.of(make(change, items, prefix));
            change.replace(section, Math.min(chosen, with), 2, merged);
          }
        }
      }
    } catch (RuntimeException | Error e) {
      change.drop(section);
      throw e;
    }
  }

  /// Puts leaves behind the last one (TREE-8); in place of it, if it is empty.
  ///
  /// @return false if it is not the last one, or has a greater key
  boolean append(Operation operation, long leaf, LeafBatch batch) {
    Section section = operation.section;
    StructureChange change = operation.change();
    try {
      Encoded first = batch.firstKey();
      Path path = change.lock(leaf, first);
      List<Item> items = items(leaf, NONE);
      if (!path.isLast() || items.stream().anyMatch(i -> order.compare(i.key(), first) >= 0)) {
        return false;
      }
      section.enlist(epoch); // hints are not logged, nor how many there are
      List<Child> news = new ArrayList<>();
      if (items.isEmpty()) {
        change.freeLater(leaf);
      } else {
        news.add(new Child(leaf, first)); // keeps its separator
      }
      batch.forEachLeaf(
          (entries, prefix) ->
              news.add(make(change, stored(entries, change), prefix(entries, prefix))));
      change.replace(section, path.chosen[1], 1, news);
      return true;
    } catch (RuntimeException | Error e) {
      change.drop(section);
      throw e;
    }
  }

  /// Gives blocks to values that are too long for a leaf.
  private List<Item> stored(List<Item> items, StructureChange change) {
    return items.stream()
        .map(item -> item.isOutside() ? item.in(block(item.stored(), change)) : item)
        .toList();
  }

  private long block(Encoded value, StructureChange change) {
    long block = change.allocate(value.length());
    memory.writeBytesPlain(block, value.bytes(), 0, value.length());
    return block;
  }
}
