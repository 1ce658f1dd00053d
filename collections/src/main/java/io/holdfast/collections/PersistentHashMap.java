package io.holdfast.collections;

import io.holdfast.codec.Encoded;
import io.holdfast.codec.EncodedEntry;
import io.holdfast.codec.EntryCodec;
import io.holdfast.collections.map.EntryMap;
import io.holdfast.collections.map.WordPut;
import io.holdfast.core.region.Region;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.DoubleBinaryOperator;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.LongBinaryOperator;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToIntBiFunction;
import java.util.function.ToLongBiFunction;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// A hash map in a region: a {@link ConcurrentMap} that is still there, and still right, after the
/// process was killed.
///
/// *Durability.* Each operation on a key is atomic, and durable when it returns, unless it depends
/// on a section that has not ended. Inside of an outer section it stands and falls with that.
/// {@link #putAll} and {@link #clear} are all or nothing. Whatever else touches several keys
/// ({@link #replaceAll}, {@link #forEach}, the views' bulk operations) is a sequence of operations;
/// `store.atomically` makes it one.
///
/// *Threads.* Safe for any number of them, virtual ones included. Looking up takes no lock; changes
/// of different keys seldom meet. Iterators, spliterators and sizes are weakly consistent, as those
/// of `ConcurrentHashMap`; an iterator returns at most one entry that was gone when it was asked
/// for it. What a section changes is seen by others when it ends, or gives up a lock of the
/// program's in the middle; who changes a key that an open section has changed builds on that, and
/// then depends on the section.
///
/// *Keys and values.* Not `null`. They are stored as bytes and made anew at each look, so what
/// comes out is never the object that went in, nor one that a function has returned, and changing
/// it changes nothing. **Keys are the same if their encoded forms are**, and so are values in
/// {@link #remove(Object, Object)}, {@link #replace(Object, Object, Object)} and {@link
/// #containsValue}. For the types that have a codec that is what `equals` says, with these
/// consequences and exceptions (`docs/codecs.md`):
///
/// - 0.0 and -0.0 are two keys, all NaN are one, `BigDecimal` 1.0 and 1.00 are two;
/// - arrays, also inside of records, are compared by content, where `equals` asks for identity;
/// - a record that defines an `equals` of its own is compared by all of its components here.
///
/// {@link #equals}, {@link #hashCode} and {@link #toString} are those of any `Map`, and ask the
/// decoded keys and values. What is of another class than the keys is found nowhere, and is no
/// error.
///
/// *Functions.* Those given to {@link #compute} and its likes are called at most once, under a
/// lock, in the section of the change: what they change in other collections of the store stands
/// and falls with it. They may look up single keys of this map and ask for its size, but for the
/// rest of it they throw `IllegalStateException` ("Recursive update"), whatever the key, before
/// anything has changed; nor may they open or delete collections, which could wait for this lock.
/// One that changes another collection waits for that one's lock with its own held: if another
/// function takes the two the other way round, they can wait for each other for ever. In a
/// transaction functions run without a lock. If one throws, the entry is as before.
///
/// *Failures.* An operation on a key that throws has left the map as it was: {@link
/// io.holdfast.core.RegionFullException} when the device has no room (in an outer section, as it
/// was before the section), `IllegalArgumentException` when key and value are too long together
/// (the message has the sizes), `IllegalStateException` when it has some four billion entries, and
/// more if both are stored in eight bytes, {@link io.holdfast.codec.CodecException} when one can't
/// be encoded, {@link io.holdfast.core.StoreClosedException} after the store was closed, {@link
/// io.holdfast.core.RootDeletedException} after the map was deleted, {@link
/// io.holdfast.core.RegionAccessException} when its file was truncated by another program. A value
/// that can't be decoded is a `CodecException` too; an operation that returns the former value has
/// then done its change.
///
/// *Parallel.* {@link #forEach(long, BiConsumer)}, `search` and `reduce` are `ConcurrentHashMap`'s,
/// for entries. Its forms for keys, values and entries alone are streams here, which divide the map
/// in the same way: `map.values().parallelStream().mapToLong(…).sum()`. Parts of a parallel
/// operation run in other threads, which are in none of the caller's sections.
///
/// How it works: `EntryMap` and docs/design.md, "The map".
public final class PersistentHashMap<K, V> extends AbstractMap<K, V>
    implements ConcurrentMap<K, V>, StoredCollection {
  /// The kind of this collection, as its root says.
  public static final String KIND = "hashMap";

  private final GuardedEntries entries;
  private final EncodedForm<K> keys;
  private final EncodedForm<V> values;
  private final MapViews<K, V> views;

  /// Opens a map; programs call `Holdfast.hashMap`.
  ///
  /// @param root the map's first block
  /// @param onFile whether the region is a file
  @SuppressWarnings("exports") // Region is for Holdfast's own modules, and so is this constructor
  public PersistentHashMap(Region region, EntryCodec<K, V> codecs, long root, boolean onFile) {
    this(
        region,
        codecs,
        root,
        onFile ? new EntryMap(region, root) : EntryMap.inMemory(region, root));
  }

  /// @param map opened at the root
  PersistentHashMap(Region region, EntryCodec<K, V> codecs, long root, EntryMap map) {
    CollectionLabel label = new CollectionLabel(region, "map", root);
    this.entries = new GuardedEntries(region, map, label);
    this.keys = new EncodedForm<>(codecs.key(), label, "a key");
    this.values = new EncodedForm<>(codecs.value(), label, "a value");
    this.views = new MapViews<>(this, entries, keys, values);
  }

  // Looking

  @Override
  public V get(Object key) {
    return keys.lookUp(key, entries, values);
  }

  @Override
  public boolean containsKey(Object key) {
    Encoded sought = keys.encodedOrNull(key);
    return sought != null && entries.get(sought) != null;
  }

  /// Whether a key has this value, in time proportional to the map's size.
  @Override
  public boolean containsValue(Object value) {
    Encoded sought = values.encodedOrNull(value);
    return sought != null
        && entries.search(entry -> entry.value().equals(sought) ? true : null) != null;
  }

  /// How many entries there are.
  public long mappingCount() {
    return entries.size();
  }

  @Override
  public int size() {
    return (int) Math.min(Integer.MAX_VALUE, mappingCount());
  }

  @Override
  public boolean isEmpty() {
    return mappingCount() == 0;
  }

  // Changing

  @Override
  public V put(K key, V value) {
    ThreadOutputs outputs = ThreadOutputs.current();
    if (keys.isOfWords() && values.isOfWords()) {
      WordPut put = outputs.wordPut();
      V before = entries.put(keys.word(key), values.word(value), put, values);
      outputs.giveBack(put);
      return before;
    }
    int level = outputs.level();
    try {
      return entries.put(keys.lent(key, outputs), values.lent(value, outputs), values);
    } finally {
      outputs.backTo(level);
    }
  }

  @Override
  public V remove(Object key) {
    Encoded sought = keys.encodedOrNull(key);
    return sought == null ? null : values.decodedOrNull(entries.remove(sought));
  }

  /// Stores all entries of another map: all of them or none, whatever happens. Up to 255 take one
  /// round trip to the media, as one entry does, two after another batch; where the map must grow
  /// for them, it does before. More are a section, and so are fewer inside of a section, with an
  /// entry that is longer than a slot, or where keys and values are of eight bytes. Threads that
  /// look meanwhile may see some of them.
  ///
  /// @throws IllegalArgumentException if one is too long, and nothing has changed
  @Override
  public void putAll(Map<? extends K, ? extends V> added) {
    List<EncodedEntry> encoded = new ArrayList<>();
    added.forEach(
        (key, value) -> encoded.add(new EncodedEntry(keys.encoded(key), values.encoded(value))));
    entries.putAll(encoded);
  }

  /// Removes all entries: all of them or none. Quick; the space is given back after it.
  @Override
  public void clear() {
    entries.clear();
  }

  @Override
  public V putIfAbsent(K key, V value) {
    Encoded wanted = keys.encoded(key);
    Encoded added = values.encoded(value);
    Encoded found = entries.get(wanted);
    if (found == null) {
      Encoded[] before = new Encoded[1];
      entries.compute(
          wanted,
          there -> {
            before[0] = there;
            return there == null ? added : there;
          });
      found = before[0];
    }
    return values.decodedOrNull(found);
  }

  @Override
  public boolean remove(Object key, Object value) {
    Encoded sought = keys.encodedOrNull(key);
    Encoded expected = value == null ? null : values.encodedOrNull(value);
    return sought != null && expected != null && replace(sought, expected, null);
  }

  @Override
  public boolean replace(K key, V expected, V value) {
    return replace(keys.sought(key), values.sought(expected), values.encoded(value));
  }

  private boolean replace(Encoded key, Encoded expected, Encoded value) {
    boolean[] replaced = new boolean[1];
    entries.compute(
        key,
        there -> {
          replaced[0] = expected.equals(there);
          return replaced[0] ? value : there;
        });
    return replaced[0];
  }

  @Override
  public V replace(K key, V value) {
    Encoded stored = values.encoded(value);
    Encoded[] before = new Encoded[1];
    entries.compute(
        keys.sought(key),
        there -> {
          before[0] = there;
          return there == null ? null : stored;
        });
    return values.decodedOrNull(before[0]);
  }

  /// Replaces a value by what a function makes of it.
  ///
  /// @param function from the former value, or `null`, to the new one, or `null` for none
  /// @return the value that is there now, decoded: never the object that the function has returned
  private V update(K key, Function<V, V> function) {
    Encoded[] stored = new Encoded[1];
    entries.compute(
        keys.encoded(key),
        there -> {
          V after = function.apply(values.decodedOrNull(there));
          stored[0] = after == null ? null : values.encoded(after);
          return stored[0];
        });
    return values.decodedOrNull(stored[0]);
  }

  @Override
  public V compute(K key, BiFunction<? super K, ? super V, ? extends V> function) {
    Objects.requireNonNull(function);
    return update(key, before -> function.apply(key, before));
  }

  @Override
  public V computeIfAbsent(K key, Function<? super K, ? extends V> function) {
    Objects.requireNonNull(function);
    Encoded wanted = keys.encoded(key);
    Encoded found = entries.get(wanted);
    if (found != null) {
      return values.decoded(found);
    }
    Encoded[] stored = new Encoded[1];
    entries.compute(
        wanted,
        there -> {
          V after = there == null ? function.apply(key) : null;
          stored[0] = after == null ? there : values.encoded(after);
          return stored[0];
        });
    return values.decodedOrNull(stored[0]);
  }

  @Override
  public V computeIfPresent(K key, BiFunction<? super K, ? super V, ? extends V> function) {
    Objects.requireNonNull(function);
    return update(key, before -> before == null ? null : function.apply(key, before));
  }

  @Override
  public V merge(K key, V value, BiFunction<? super V, ? super V, ? extends V> function) {
    Objects.requireNonNull(function);
    Objects.requireNonNull(value);
    return update(key, before -> before == null ? value : function.apply(before, value));
  }

  /// Replaces the value of each entry by what a function makes of it: a sequence of operations, one
  /// for each key.
  ///
  /// @throws NullPointerException if the function returns `null`; what was replaced stays so
  @Override
  public void replaceAll(BiFunction<? super K, ? super V, ? extends V> function) {
    Objects.requireNonNull(function);
    EntryWalk walk = new EntryWalk(entries);
    while (walk.hasNext()) {
      Encoded key = walk.next().key();
      entries.compute(
          key,
          there ->
              there == null
                  ? null
                  : values.encoded(function.apply(keys.decoded(key), values.decoded(there))));
    }
  }

  // All of it

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
    Unreadable unreadable = new Unreadable(keys, values, entries::compute, taken);
    EntryWalk walk = new EntryWalk(entries);
    while (walk.hasNext()) {
      EncodedEntry entry = walk.next();
      unreadable.visit(entry.key(), entry.value());
    }
    return unreadable.removed();
  }

  @Override
  public Set<K> keySet() {
    return views.keys();
  }

  @Override
  public Collection<V> values() {
    return views.values();
  }

  @Override
  public Set<Map.Entry<K, V>> entrySet() {
    return views.entries();
  }

  @Override
  public void forEach(BiConsumer<? super K, ? super V> action) {
    Objects.requireNonNull(action);
    EntryWalk walk = new EntryWalk(entries);
    while (walk.hasNext()) {
      EncodedEntry entry = walk.next();
      action.accept(keys.decoded(entry.key()), values.decoded(entry.value()));
    }
  }

  /// @param parallelism from how many entries on several threads of the common pool take part
  private Stream<Map.Entry<K, V>> stream(long parallelism) {
    return StreamSupport.stream(views.entrySpliterator(), mappingCount() >= parallelism);
  }

  /// Does something for each entry.
  ///
  /// @param parallelism from how many entries on several threads do it
  public void forEach(long parallelism, BiConsumer<? super K, ? super V> action) {
    Objects.requireNonNull(action);
    stream(parallelism).forEach(entry -> action.accept(entry.getKey(), entry.getValue()));
  }

  /// Does something with what a function makes of each entry and is not `null`.
  ///
  /// @param parallelism from how many entries on several threads do it
  public <U> void forEach(
      long parallelism,
      BiFunction<? super K, ? super V, ? extends U> transformer,
      Consumer<? super U> action) {
    Objects.requireNonNull(action);
    transformed(parallelism, transformer).forEach(action);
  }

  private <U> Stream<U> transformed(
      long parallelism, BiFunction<? super K, ? super V, ? extends U> transformer) {
    Objects.requireNonNull(transformer);
    return stream(parallelism)
        .<U>map(entry -> transformer.apply(entry.getKey(), entry.getValue()))
        .filter(Objects::nonNull);
  }

  /// What a function makes of one of the entries and is not `null`; as soon as there is one, the
  /// others are left alone.
  ///
  /// @param parallelism from how many entries on several threads look
  /// @return `null` if it makes `null` of all
  public <U> U search(long parallelism, BiFunction<? super K, ? super V, ? extends U> function) {
    return this.<U>transformed(parallelism, function).findAny().orElse(null);
  }

  /// What a function makes of all entries, put together.
  ///
  /// @param parallelism from how many entries on several threads do it
  /// @param transformer what it makes `null` of is left out
  /// @param reducer associative and commutative
  /// @return `null` if there is nothing
  public <U> U reduce(
      long parallelism,
      BiFunction<? super K, ? super V, ? extends U> transformer,
      BiFunction<? super U, ? super U, ? extends U> reducer) {
    Objects.requireNonNull(reducer);
    return this.<U>transformed(parallelism, transformer).reduce(reducer::apply).orElse(null);
  }

  /// {@link #reduce} of numbers.
  ///
  /// @param basis the identity of the reducer
  public long reduceToLong(
      long parallelism,
      ToLongBiFunction<? super K, ? super V> transformer,
      long basis,
      LongBinaryOperator reducer) {
    Objects.requireNonNull(transformer);
    return stream(parallelism)
        .mapToLong(entry -> transformer.applyAsLong(entry.getKey(), entry.getValue()))
        .reduce(basis, reducer);
  }

  /// {@link #reduce} of numbers.
  ///
  /// @param basis the identity of the reducer
  public int reduceToInt(
      long parallelism,
      ToIntBiFunction<? super K, ? super V> transformer,
      int basis,
      IntBinaryOperator reducer) {
    Objects.requireNonNull(transformer);
    return stream(parallelism)
        .mapToInt(entry -> transformer.applyAsInt(entry.getKey(), entry.getValue()))
        .reduce(basis, reducer);
  }

  /// {@link #reduce} of numbers.
  ///
  /// @param basis the identity of the reducer
  public double reduceToDouble(
      long parallelism,
      ToDoubleBiFunction<? super K, ? super V> transformer,
      double basis,
      DoubleBinaryOperator reducer) {
    Objects.requireNonNull(transformer);
    return stream(parallelism)
        .mapToDouble(entry -> transformer.applyAsDouble(entry.getKey(), entry.getValue()))
        .reduce(basis, reducer);
  }

  // For the store

  /// Checks all that the layout promises, reading the whole map; meant for tests and tools.
  ///
  /// @return how many entries there are
  /// @throws io.holdfast.core.RegionDamagedException naming the first fault and its offset
  public long validate() {
    return entries.validate();
  }

  @Override
  public long knownSize() {
    return entries.size();
  }

  @Override
  public long changes() {
    return entries.changes();
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
