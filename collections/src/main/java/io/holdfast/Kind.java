package io.holdfast;

import io.holdfast.codec.Codec;
import io.holdfast.codec.EntryCodec;
import io.holdfast.collections.PersistentHashMap;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.collections.PersistentTreeMap;
import io.holdfast.collections.StoredCollection;
import io.holdfast.core.heap.Root;
import io.holdfast.core.region.Region;
import java.util.Comparator;
import java.util.Map;

/// A kind of collection with the codecs of its elements: how it is made and opened.
interface Kind {
  /// As its root says.
  String name();

  /// What its elements are encoded by.
  String fingerprint();

  /// The same kind, with codecs that read what was stored under an earlier fingerprint.
  ///
  /// @throws IllegalArgumentException saying why they can't
  Kind adaptedTo(String stored);

  /// Makes an empty one in the calling thread's section.
  ///
  /// @return its first block
  long create(Region region);

  /// Opens the one that a block begins.
  StoredCollection open(Region region, long firstBlock);

  /// Frees some blocks of a collection that nobody can find any more (ROOT-4).
  interface Disposal {
    /// @return whether these were the last
    boolean freeSome(Region region, Root root);
  }

  /// How the kinds that this version knows are freed.
  Map<String, Disposal> DISPOSALS =
      Map.of(
          PersistentHashMap.KIND, PersistentHashMap::freeSome,
          PersistentQueue.KIND, PersistentQueue::freeSome,
          PersistentTreeMap.KIND, PersistentTreeMap::freeSome);

  /// @param capacity how many elements at most
  record OfQueue<E>(Codec<E> codec, int capacity) implements Kind {
    @Override
    public String name() {
      return PersistentQueue.KIND;
    }

    @Override
    public String fingerprint() {
      return codec.fingerprint();
    }

    @Override
    public Kind adaptedTo(String stored) {
      return new OfQueue<>(codec.adaptedTo(stored), capacity);
    }

    @Override
    public long create(Region region) {
      return PersistentQueue.create(region);
    }

    @Override
    public StoredCollection open(Region region, long firstBlock) {
      return new PersistentQueue<>(region, codec, firstBlock, capacity);
    }
  }

  /// @param onFile whether the region outlives the process as a file does
  record OfHashMap<K, V>(EntryCodec<K, V> codecs, boolean onFile) implements Kind {
    @Override
    public String name() {
      return PersistentHashMap.KIND;
    }

    @Override
    public String fingerprint() {
      return codecs.fingerprint();
    }

    @Override
    public Kind adaptedTo(String stored) {
      return new OfHashMap<>(codecs.adaptedTo(stored), onFile);
    }

    @Override
    public long create(Region region) {
      return PersistentHashMap.create(region);
    }

    @Override
    public StoredCollection open(Region region, long firstBlock) {
      return new PersistentHashMap<>(region, codecs, firstBlock, onFile);
    }
  }

  /// @param order the comparator's name; empty for the natural order
  /// @param comparator `null` for that
  record OfTreeMap<K, V>(EntryCodec<K, V> codecs, String order, Comparator<? super K> comparator)
      implements Kind {
    /// Between codecs and the comparator's name.
    private static final String SORTED_BY = " sorted by ";

    @Override
    public String name() {
      return PersistentTreeMap.KIND;
    }

    @Override
    public String fingerprint() {
      return order.isEmpty() ? codecs.fingerprint() : codecs.fingerprint() + SORTED_BY + order;
    }

    @Override
    public Kind adaptedTo(String stored) {
      int end = stored.indexOf(SORTED_BY);
      String found = end < 0 ? "" : stored.substring(end + SORTED_BY.length());
      if (!found.equals(order)) {
        throw new IllegalArgumentException(
            "keys are in another order: stored=%s, asked=%s. Open it with the comparator that it was made with, or use another name"
                .formatted(shown(found), shown(order)));
      }
      String codecsStored = end < 0 ? stored : stored.substring(0, end);
      return new OfTreeMap<>(codecs.adaptedTo(codecsStored), order, comparator);
    }

    private static String shown(String order) {
      return order.isEmpty() ? "natural order" : order;
    }

    @Override
    public long create(Region region) {
      return PersistentTreeMap.create(region);
    }

    @Override
    public StoredCollection open(Region region, long firstBlock) {
      return new PersistentTreeMap<>(region, codecs.key(), codecs.value(), comparator, firstBlock);
    }
  }
}
