package io.holdfast;

import io.holdfast.codec.Codec;
import io.holdfast.codec.EntryCodec;
import io.holdfast.collections.PersistentHashMap;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.collections.StoredCollection;
import io.holdfast.core.heap.RootDirectory.Root;
import io.holdfast.core.recovery.Region;
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
          PersistentQueue.KIND, PersistentQueue::freeSome);

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
}
