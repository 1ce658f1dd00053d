package io.holdfast.collections;

import io.holdfast.codec.Codec;
import io.holdfast.codec.EncodedEntry;
import io.holdfast.collections.tree.EntryTree;
import io.holdfast.collections.tree.TreeWalk;
import io.holdfast.collections.tree.leaf.LeafEntries;
import io.holdfast.collections.tree.node.KeyOrder;
import io.holdfast.collections.tree.node.NaturalOrder;
import io.holdfast.core.region.Region;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;

/// A sorted map in a region: a {@link ConcurrentNavigableMap} that is still there, and still right,
/// after the process was killed, and opens at once.
///
/// *Durability.* Each operation on one entry is failure-atomic; when it returns it is durable,
/// unless it depends on a section that has not ended. Inside of an outer section it stands and
/// falls with that. {@link #clear} of the whole map is a section; of a view it removes one entry
/// after the other, as other operations on several entries do.
///
/// *Threads.* Safe for any number of them. Reading takes no lock, writing that of some keys near
/// by. Iterators and spliterators are weakly consistent: what is there from their beginning to
/// their end they find, once; they return at most one entry that was gone when they were asked for
/// it. `removeIf` of values and entries removes an entry only with the value that was tested. What
/// a section changes is seen by others when it ends, or when it gives up one of several locks
/// before; in the latter case they then depend on it. A single operation that changes a key which
/// an open section has changed builds on that, and depends on it too.
///
/// *Order.* That of the keys' class, or of a comparator, whose name is stored; keys that it calls
/// level are one, as in a `TreeMap`. It must stay the same as long as the map exists. A key that
/// does not compare to itself as 0 is refused, before anything is stored.
///
/// *Keys and values* are not `null`. They are stored as bytes and made anew at each look, so what
/// comes out is never the object that went in, nor one that a function has returned, and changing
/// it changes nothing. Two values are the same if their encoded forms are, as in a {@link
/// PersistentHashMap}. A key has at most 256 bytes when encoded, a value at most 2,147,483,639.
///
/// *Failures.* An operation that throws has left the map as it was: {@link
/// io.holdfast.core.RegionFullException} when the device has no room (in an outer section, as it
/// was before the section), {@link IllegalArgumentException} when a key is too long, {@link
/// io.holdfast.core.StoreClosedException} after the store was closed, {@link
/// io.holdfast.core.RootDeletedException} after the map was deleted, {@link
/// io.holdfast.core.RegionAccessException} when its file was truncated by another program, {@link
/// ClassCastException} when a key has no order, `IllegalStateException` in a function that computes
/// a value, {@link io.holdfast.codec.CodecException} when a key or value can't be encoded. A value
/// that can't be decoded is a `CodecException` too; an operation that returns the former value has
/// then done its change.
public final class PersistentTreeMap<K, V> extends SortedView<K, V> implements StoredCollection {
  /// The kind of this collection, as its root says.
  public static final String KIND = "treeMap";

  /// Opens a map; programs call `Holdfast.treeMap`.
  ///
  /// @param root the map's first block
  /// @param comparator `null` for the natural order
  @SuppressWarnings("exports") // Region is for Holdfast's own modules, and so is this constructor
  public PersistentTreeMap(
      Region region,
      Codec<K> keyCodec,
      Codec<V> valueCodec,
      Comparator<? super K> comparator,
      long root) {
    this(new CollectionLabel(region, "sorted map", root), region, keyCodec, valueCodec, comparator);
  }

  /// @param label of the collection that it is, or is a part of
  PersistentTreeMap(
      CollectionLabel label,
      Region region,
      Codec<K> keyCodec,
      Codec<V> valueCodec,
      Comparator<? super K> comparator) {
    this(entries(label, region, keyCodec, valueCodec, comparator));
  }

  private PersistentTreeMap(SortedEntries<K, V> entries) {
    super(entries, SortedRange.all(entries), true);
  }

  private static <K, V> SortedEntries<K, V> entries(
      CollectionLabel label,
      Region region,
      Codec<K> keyCodec,
      Codec<V> valueCodec,
      Comparator<? super K> comparator) {
    CallersCode callers = new CallersCode(region, label);
    EncodedForm<K> keys = new EncodedForm<>(keyCodec, label, "a key");
    EncodedForm<V> values = new EncodedForm<>(valueCodec, label, "a value");
    KeyOrder order = order(keyCodec, keys, comparator);
    if (comparator != null || keys.trust().runsCallersCode()) {
      order = new GuardedOrder(order, callers);
    }
    EntryTree tree = new EntryTree(region, label.root(), order);
    if (comparator == null && keyCodec.fingerprint().startsWith("enum ")) {
      checkConstants(tree, keys, label);
    }
    return new SortedEntries<>(region, tree, callers, keys, values, comparator, order);
  }

  /// The keys are as many as the enum has constants, at most. Since the map was made, these may
  /// have come into another order, in which none would be found but in its leaf, which is sorted as
  /// it is read. Others may have come between them.
  private static <K> void checkConstants(
      EntryTree tree, EncodedForm<K> keys, CollectionLabel label) {
    Comparable<Object> before = null;
    TreeWalk walk = tree.walk(true);
    for (LeafEntries leaf = walk.from(null, true); leaf != null; leaf = walk.next()) {
      for (EncodedEntry entry : leaf) {
        Comparable<Object> key = comparable(keys.decoded(entry.key()));
        if (before != null && before.compareTo(key) >= 0) {
          throw new IllegalArgumentException(
              "%s cannot be opened with these types: its keys are constants of an enum, and %s came before %s when they were stored. To go on: put them back into that order; or copy the map into another one"
                  .formatted(label, before, key));
        }
        before = key;
      }
    }
  }

  private static <K> KeyOrder order(
      Codec<K> codec, EncodedForm<K> keys, Comparator<? super K> comparator) {
    if (comparator != null) {
      return KeyOrder.decoded(keys::decoded, comparator, false);
    }
    // A codec of the program's may have another form, whatever it calls itself.
    String form = keys.trust().runsCallersCode() ? "" : codec.fingerprint();
    return NaturalOrder.of(form, encoded -> comparable(keys.decoded(encoded)));
  }

  @SuppressWarnings("unchecked") // a class without a natural order throws
  private static Comparable<Object> comparable(Object key) {
    return (Comparable<Object>) key;
  }

  /// How many entries there are; while others change the map, about so many. The first call after
  /// an opening looks at every leaf of the tree.
  @Override
  public int size() {
    return (int) Math.min(Integer.MAX_VALUE, entries.size());
  }

  /// How many keys come before one, in logarithmic time.
  ///
  /// Exact while nobody changes the map. Under change it counts each key that is there all the
  /// time, none that never is, and of those that come and go some; and it does not make the calling
  /// section depend on others that have put or removed keys before this one.
  ///
  /// What it counts is kept, in memory, and each inner node of the tree counted again when
  /// something below it has changed. So the first call after an opening looks at all leaves before
  /// the key, and a later one at those that are near what was added or removed since. Before the
  /// first call of this or {@link #keyAt} changes pay nothing for it; from then on each that adds
  /// or removes an entry searches the tree once more.
  ///
  /// @return if absent, `-(n + 1)`, where n keys come before it
  public long indexOf(K key) {
    return entries.indexOf(Objects.requireNonNull(key, "key"));
  }

  /// The key at an index in the map's order, from 0 on, in logarithmic time, as {@link #indexOf}
  /// counts.
  ///
  /// @throws IndexOutOfBoundsException if there are not so many keys, or the index is less than 0
  public K keyAt(long index) {
    K key = index < 0 ? null : entries.keyAt(index);
    if (key == null) {
      throw new IndexOutOfBoundsException("index=%d, size=%d".formatted(index, size()));
    }
    return key;
  }

  /// Stores entries in ascending order, all behind those that are there: by far the quickest way to
  /// fill a map, and leaves are filled to the brim.
  ///
  /// Some hundreds or thousands of entries at a time are a section: all or none of them. A crash,
  /// an exception, or a device without room leaves the first ones, up to the end of such a section;
  /// {@link #lastKey} tells where to go on. In an outer section it is all or none, and takes its
  /// log for each leaf.
  ///
  /// Others may change the map meanwhile; a key that one of them puts after those that were stored
  /// so far ends the loading with the exception that says so.
  ///
  /// @param sorted its entries are taken one by one; outside of all locks
  /// @return how many entries were stored
  /// @throws IllegalArgumentException if a key is not greater than all that are there; entries
  ///   before it may be stored
  public long load(Iterator<? extends Map.Entry<? extends K, ? extends V>> sorted) {
    return entries.load(Objects.requireNonNull(sorted, "sorted"));
  }

  /// Removes the entries whose key or value the codecs can't read, one after the other: those that
  /// an earlier program stored by a codec with a fault, or that a codec with a fault can't read
  /// now. Until then looking such an entry up throws, and an iterator throws for it and goes on.
  ///
  /// @param taken is given the bytes of each key and value, under a lock of the map and in the
  ///   section of the removal: what it puts into another collection of the store is in one of the
  ///   two whatever happens. If it throws, that entry and the following ones stay. It must not use
  ///   this map
  /// @return how many were removed
  public long removeUnreadable(BiConsumer<byte[], byte[]> taken) {
    return entries.removeUnreadable(taken);
  }

  /// Removes all entries, in a section: all or none. In time that does not depend on how many there
  /// are; then their blocks are freed.
  @Override
  public void clear() {
    entries.clear();
  }

  /// Checks all that the layout promises, reading the whole map; meant for tests and tools, while
  /// nobody changes the map.
  ///
  /// @return how many entries there are
  /// @throws io.holdfast.core.RegionDamagedException naming the first fault and its offset
  public long validate() {
    return entries.validate();
  }

  @Override
  public long knownSize() {
    return entries.tree().knownSize();
  }

  @Override
  public long changes() {
    return entries.tree().changes();
  }

  @Override
  public void deleted(boolean isDeleted) {
    entries.deleted(isDeleted);
  }

  @Override
  public boolean delete(BooleanSupplier deletion) {
    return entries.delete(deletion);
  }
}
