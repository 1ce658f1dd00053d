package io.holdfast.collections;

import io.holdfast.codec.Encoded;
import io.holdfast.codec.EncodedEntry;
import io.holdfast.collections.OverlaidPages.Bound;
import io.holdfast.collections.overlay.KeyedView;
import io.holdfast.collections.overlay.Overlaid;
import io.holdfast.collections.tree.EntryTree;
import io.holdfast.collections.tree.TreeWalk;
import io.holdfast.collections.tree.leaf.LeafEntries;
import io.holdfast.collections.tree.node.KeyOrder;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.Sections;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/// The entries of a tree as a program sees them: decoded. A function that is to compute a value
/// can't come back and change the map (UPDATE-1); a page that is missing is an exception of ours
/// (FAULT-1).
///
/// Thread-safe.
final class SortedEntries<K, V> {
  private final Region region;
  private final Sections guard;
  private final EntryTree tree;
  private final Overlaid overlaid;
  private final CallersCode callers;

  /// Whether a search runs code of the caller's.
  private final boolean comparesByCallersCode;

  /// Where a function computes a value.
  private final CallersCode.Place place;

  private final EncodedForm<K> keys;
  private final EncodedForm<V> values;

  /// `null` for the natural order.
  private final Comparator<? super K> comparator;

  /// Whether each key that has a form is level with itself.
  private final boolean isOrdered;

  SortedEntries(
      Region region,
      EntryTree tree,
      CallersCode callers,
      EncodedForm<K> keys,
      EncodedForm<V> values,
      Comparator<? super K> comparator,
      KeyOrder order) {
    this.region = region;
    this.guard = region.sections();
    this.tree = tree;
    this.overlaid = new Overlaid(region, tree, order.isCallers());
    this.callers = callers;
    this.comparesByCallersCode = order.isCallers();
    this.place =
        callers.place(
            "a function that computes one of its values may look up single keys, and do nothing"
                + " else with it",
            true);
    this.keys = keys;
    this.values = values;
    this.comparator = comparator;
    this.isOrdered = order.isExact();
  }

  /// The tree, for what a function that computes a value must not do.
  ///
  /// @throws IllegalStateException in such a function
  EntryTree tree() {
    callers.check();
    return tree;
  }

  /// The map as the calling thread sees it; `null` if that is in place.
  private KeyedView view() {
    KeyedView view = overlaid.view();
    if (view != null) {
      tree.checkUsable();
    }
    return view;
  }

  /// Where the calling thread changes the map; `null` if that is in place.
  ///
  /// @throws IllegalStateException in a function that computes a value
  private KeyedView forChange() {
    callers.check();
    KeyedView view = overlaid.forChange();
    if (view != null) {
      tree.checkUsable();
    }
    return view;
  }

  private OverlaidPages pages(KeyedView view) {
    return new OverlaidPages(tree, view);
  }

  Comparator<? super K> comparator() {
    return comparator;
  }

  @SuppressWarnings("unchecked") // as natural order is; a class without one throws
  int compare(K one, K other) {
    return comparator == null
        ? ((Comparable<? super K>) one).compareTo(other)
        : comparator.compare(one, other);
  }

  /// **SORT-1** A key that the order can't tell from itself is never stored: if it were the only
  /// one, no operation could find it or pass it. So each key that may be added is compared with
  /// itself, as `TreeMap` does with its first one. The order of built-in codecs needs no such look.
  ///
  /// Test: KeysWithoutOrderTest.
  private void checkOrder(K key) {
    if (isOrdered) {
      return;
    }
    if (comparator == null && !(key instanceof Comparable)) {
      throw new ClassCastException(
          "%s: a key of a sorted map has no order: %s is not Comparable. Open the map with a comparator"
              .formatted(region.memory().name(), key.getClass().getName()));
    }
    int compared = compare(key, key);
    if (compared != 0) {
      throw new IllegalArgumentException(
          "%s: a key of a sorted map does not compare to itself as 0: found=%d, key=%s, order=%s. Mend the order, or leave the key out"
              .formatted(
                  region.memory().name(),
                  compared,
                  key,
                  (comparator == null ? key : comparator).getClass().getName()));
    }
  }

  K key(EncodedEntry entry) {
    return keys.decoded(entry.key());
  }

  V value(EncodedEntry entry) {
    return values.decoded(entry.value());
  }

  K key(LeafEntries page, int index) {
    return page.areWords() && keys.isOfWords()
        ? keys.decoded(page.keyWord(index))
        : keys.decoded(page.key(index));
  }

  // Of entries that are words

  K key(long word) {
    return keys.decoded(word);
  }

  V value(long word) {
    return values.decoded(word);
  }

  long valueWord(V value) {
    return values.encoded(value).word();
  }

  /// What the calling thread holds back; `null` for nothing.
  KeyedView heldBack() {
    return overlaid.view();
  }

  /// Whether an entry was removed since its page was read, as far as can be told.
  ///
  /// @param view what the thread holds back
  boolean isGone(KeyedView view, TreeWalk walk, LeafEntries page, int index) {
    boolean isStill = walk.isStill() && (view == null || !view.keys().contains(page.key(index)));
    return !isStill && encodedValue(page.key(index)) == null;
  }

  V value(LeafEntries page, int index) {
    return page.areWords() && values.isOfWords()
        ? values.decoded(page.valueWord(index))
        : values.decoded(page.value(index));
  }

  /// An entry of a page; what is set in it is put into a map.
  Map.Entry<K, V> entry(Map<K, V> map, LeafEntries page, int index) {
    if (page.areWords() && keys.isOfWords() && values.isOfWords()) {
      long word = page.valueWord(index);
      values.decoded(word); // what can't be decoded throws here, where an iterator can go on
      return new WordEntry<>(this, map, page.keyWord(index), word);
    }
    return new DecodedEntry<>(map, key(page, index), value(page, index));
  }

  V get(K key) {
    return values.decodedOrNull(encodedValue(keys.sought(key)));
  }

  private Encoded encodedValue(Encoded key) {
    if (comparesByCallersCode) {
      callers.checkLookUp();
    }
    try {
      KeyedView view = view();
      return view == null ? tree.get(key) : view.get(key);
    } catch (InternalError e) {
      throw guard.faulted(e);
    }
  }

  V put(K key, V value) {
    checkOrder(key);
    Encoded added = keys.encoded(key);
    Encoded its = values.encoded(value);
    try {
      return values.decodedOrNull(put(added, its));
    } catch (InternalError e) {
      throw guard.faulted(e);
    }
  }

  private Encoded put(Encoded key, Encoded value) {
    KeyedView view = forChange();
    if (view == null) {
      return tree.put(key, value);
    }
    tree.check(key, value);
    return view.change(key, _ -> value);
  }

  V remove(K key) {
    Encoded removed = keys.sought(key);
    try {
      KeyedView view = forChange();
      return values.decodedOrNull(
          view == null ? tree.remove(removed) : view.change(removed, _ -> null));
    } catch (InternalError e) {
      throw guard.faulted(e);
    }
  }

  /// Stores a value if a key has none.
  ///
  /// @return the value before
  V putIfAbsent(K key, V value) {
    checkOrder(key);
    Encoded added = values.encoded(value);
    return values.decodedOrNull(
        change(keys.encoded(key), before -> before == null ? added : before));
  }

  /// Stores a value if a key's present one has the same bytes as another one.
  ///
  /// @param expected of any class
  /// @param value `null` to remove the entry
  /// @return whether it had
  boolean replaceIf(K key, Object expected, V value) {
    Encoded stored = values.encodedOrNull(expected);
    return stored != null
        && replaceStored(keys.sought(key), stored, value == null ? null : values.encoded(value));
  }

  private boolean replaceStored(Encoded key, Encoded expected, Encoded value) {
    boolean[] isReplaced = new boolean[1];
    change(
        key,
        before -> {
          isReplaced[0] = expected.equals(before);
          return isReplaced[0] ? value : before;
        });
    return isReplaced[0];
  }

  /// Whether a key has a value with the same bytes as another one.
  ///
  /// @param value of any class
  boolean contains(K key, Object value) {
    Encoded sought = values.encodedOrNull(value);
    return sought != null && sought.equals(encodedValue(keys.sought(key)));
  }

  /// The bytes that a value would have; `null` if it is of another class than the map's values.
  Encoded encodedValueOrNull(Object value) {
    return values.encodedOrNull(value);
  }

  /// Removes an entry of a page unless its value has changed since.
  ///
  /// @return whether it was removed
  boolean removeUnchanged(LeafEntries page, int index) {
    return replaceStored(page.key(index), page.value(index), null);
  }

  /// Removes an entry whose value nobody asks for, and which may be unreadable.
  void drop(Encoded key) {
    change(key, before -> null);
  }

  /// Removes the entries whose key or value can't be decoded; as `PersistentTreeMap` has it.
  long removeUnreadable(BiConsumer<byte[], byte[]> taken) {
    Unreadable unreadable = new Unreadable(keys, values, this::changeByCallersCode, taken);
    TreeWalk walk = walk(true);
    SortedRange<K, V> all = SortedRange.all(this);
    for (LeafEntries page = from(walk, all); page != null; page = next(walk, all)) {
      for (int i = 0; i < page.size(); i++) {
        unreadable.visit(page.key(i), page.value(i));
      }
    }
    return unreadable.removed();
  }

  /// Stores a value if a key has one.
  ///
  /// @return the value before
  V replace(K key, V value) {
    Encoded after = values.encoded(value);
    return values.decodedOrNull(change(keys.sought(key), before -> before == null ? null : after));
  }

  /// Replaces a value by what a function of the program's makes of it; called once, under a lock of
  /// the map.
  ///
  /// @param function from the value, or `null`, to the value, or `null` for no entry; what has the
  ///   same bytes as the former one is not stored again
  /// @return the value that is there now, decoded: never the object that the function has returned
  V compute(K key, UnaryOperator<V> function) {
    checkOrder(key);
    Encoded[] stored = new Encoded[1];
    change(
        keys.encoded(key),
        before -> {
          // UPDATE-1. Test: PersistentTreeMapFunctionsTest.update1AFunctionThatComesBack.
          stored[0] =
              place.run(
                  () -> {
                    V after = function.apply(values.decodedOrNull(before));
                    return after == null ? null : values.encoded(after);
                  });
          return before != null && before.equals(stored[0]) ? before : stored[0];
        });
    return values.decodedOrNull(stored[0]);
  }

  /// Runs a function of the program's under a lock (UPDATE-1).
  private void changeByCallersCode(Encoded key, UnaryOperator<Encoded> function) {
    change(key, before -> place.run(() -> function.apply(before)));
  }

  /// @return the value before, or `null`
  private Encoded change(Encoded key, UnaryOperator<Encoded> function) {
    return guard.guarded(
        () -> {
          KeyedView view = forChange();
          return view == null ? tree.compute(key, function) : view.change(key, function);
        });
  }

  /// The nearest entry from a key on; see `EntryTree`.
  ///
  /// @param range what is beyond it need not be found
  Map.Entry<K, V> nearest(K from, boolean inclusive, boolean ascending, SortedRange<K, V> range) {
    Encoded at = from == null ? null : keys.sought(from);
    callers.check();
    EncodedEntry found =
        guard.guarded(() -> nearest(new Bound(at, inclusive), ascending, end(range, ascending)));
    return found == null ? null : new SimpleImmutableEntry<>(key(found), value(found));
  }

  private EncodedEntry nearest(Bound from, boolean ascending, Bound end) {
    KeyedView view = view();
    return view == null
        ? tree.nearest(from.key(), from.inclusive(), ascending)
        : pages(view).nearest(from, ascending, end);
  }

  TreeWalk walk(boolean ascending) {
    return tree().walk(ascending);
  }

  private Bound bound(K key, boolean inclusive) {
    return key == null ? Bound.NONE : new Bound(keys.sought(key), inclusive);
  }

  private Bound beginning(SortedRange<K, V> range, boolean ascending) {
    return ascending
        ? bound(range.low(), range.lowInclusive())
        : bound(range.high(), range.highInclusive());
  }

  private Bound end(SortedRange<K, V> range, boolean ascending) {
    return beginning(range, !ascending);
  }

  /// Begins a walk; see `TreeWalk`.
  LeafEntries from(TreeWalk walk, SortedRange<K, V> range) {
    return guard.guarded(() -> from(walk, beginning(range, walk.isAscending()), range));
  }

  /// Begins it again, at an entry of a page.
  LeafEntries again(TreeWalk walk, LeafEntries page, int index, SortedRange<K, V> range) {
    return guard.guarded(() -> from(walk, new Bound(page.key(index), true), range));
  }

  private LeafEntries from(TreeWalk walk, Bound from, SortedRange<K, V> range) {
    KeyedView view = view();
    return view == null
        ? walk.from(from.key(), from.inclusive())
        : pages(view).from(walk, from, end(range, walk.isAscending()));
  }

  /// Goes on with a walk.
  LeafEntries next(TreeWalk walk, SortedRange<K, V> range) {
    callers.check();
    return guard.guarded(
        () -> {
          KeyedView view = view();
          return view == null
              ? walk.next()
              : pages(view).next(walk, end(range, walk.isAscending()));
        });
  }

  long indexOf(K key) {
    callers.check();
    return guard.guarded(
        () -> {
          KeyedView view = view();
          Encoded sought = keys.sought(key);
          return view == null ? tree.indexOf(sought) : indexOf(pages(view), sought);
        });
  }

  /// One by one.
  private long indexOf(OverlaidPages pages, Encoded key) {
    Bound end = new Bound(key, true);
    TreeWalk walk = tree.walk(true);
    long lesser = 0;
    for (LeafEntries page = pages.from(walk, Bound.NONE, end);
        page != null;
        page = pages.next(walk, end)) {
      int size = page.size();
      if (size > 0 && tree.keyOrder().compare(page.key(size - 1), key) == 0) {
        return lesser + size - 1;
      }
      lesser += size;
    }
    return -1 - lesser;
  }

  /// @return `null` if there are not so many
  K keyAt(long index) {
    callers.check();
    Encoded found =
        guard.guarded(
            () -> {
              KeyedView view = view();
              return view == null ? tree.keyAt(index) : keyAt(pages(view), index);
            });
    return found == null ? null : keys.decoded(found);
  }

  /// One by one.
  private Encoded keyAt(OverlaidPages pages, long index) {
    TreeWalk walk = tree.walk(true);
    long left = index;
    for (LeafEntries page = pages.from(walk, Bound.NONE, Bound.NONE);
        page != null;
        page = pages.next(walk, Bound.NONE)) {
      if (left < page.size()) {
        return page.key((int) left);
      }
      left -= page.size();
    }
    return null;
  }

  long size() {
    callers.check();
    return guard.guarded(
        () -> {
          KeyedView view = view();
          return view == null ? tree.size() : view.size(tree::size);
        });
  }

  long validate() {
    return guard.guarded(() -> tree().validate());
  }

  boolean delete(BooleanSupplier deletion) {
    return guard.guarded(() -> tree().delete(deletion));
  }

  void deleted(boolean isDeleted) {
    tree.deleted(isDeleted);
  }

  /// Stores entries whose keys ascend; see `TreeLoader`.
  ///
  /// @return how many
  long load(Iterator<? extends Map.Entry<? extends K, ? extends V>> sorted) {
    callers.check();
    Iterator<EncodedEntry> encoded =
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            return sorted.hasNext();
          }

          @Override
          public EncodedEntry next() {
            Map.Entry<? extends K, ? extends V> next = sorted.next();
            K key = Objects.requireNonNull(next.getKey(), "key");
            V value = Objects.requireNonNull(next.getValue(), "value");
            checkOrder(key);
            return new EncodedEntry(keys.encoded(key), values.encoded(value));
          }
        };
    return guard.guarded(
        () -> {
          return forChange() == null ? tree.load(encoded) : loadOneByOne(encoded);
        });
  }

  private long loadOneByOne(Iterator<EncodedEntry> sorted) {
    long loaded = 0;
    while (sorted.hasNext()) {
      EncodedEntry next = sorted.next();
      tree.check(next.key(), next.value());
      if (nearest(new Bound(next.key(), true), true, Bound.NONE) != null) {
        throw tree.unordered(loaded);
      }
      put(next.key(), next.value());
      loaded++;
    }
    return loaded;
  }

  void clear() {
    guard.guarded(
        () -> {
          KeyedView view = forChange();
          if (view == null || view.storesOpenly()) {
            tree.clear();
          } else {
            removeAll(view);
          }
          return null;
        });
  }

  /// One by one.
  private void removeAll(KeyedView view) {
    TreeWalk walk = tree.walk(true);
    for (LeafEntries page = pages(view).from(walk, Bound.NONE, Bound.NONE);
        page != null;
        page = pages(view).next(walk, Bound.NONE)) {
      page.forEach(entry -> view.change(entry.key(), _ -> null));
    }
  }

  /// A key about in the middle of a range.
  ///
  /// @return `null` if the range is not to be divided
  K middle(SortedRange<K, V> range) {
    callers.check();
    if (guard.heldBack() != null) {
      return null;
    }
    Encoded found =
        guard.guarded(
            () ->
                tree()
                    .middle(
                        beginning(range, true).key(),
                        end(range, true).key(),
                        range.highInclusive()));
    return found == null ? null : keys.decoded(found);
  }
}
