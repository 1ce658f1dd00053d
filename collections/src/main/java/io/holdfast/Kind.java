package io.holdfast;

import io.holdfast.codec.Codec;
import io.holdfast.codec.EntryCodec;
import io.holdfast.collections.PersistentDelayQueue;
import io.holdfast.collections.PersistentHashMap;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.collections.PersistentTreeMap;
import io.holdfast.collections.StoredCollection;
import io.holdfast.collections.kind.CollectionKind;
import io.holdfast.collections.kind.RawCodec;
import io.holdfast.collections.kind.SortedFingerprint;
import io.holdfast.core.region.Region;
import java.util.Comparator;
import java.util.UUID;
import java.util.function.UnaryOperator;

/// A kind of collection with the codecs of its elements: how it is opened.
///
/// @param <C> the collection's class
interface Kind<C extends StoredCollection> {
  /// Which kind it is, as roots say it.
  String kind();

  default CollectionKind of() {
    return CollectionKind.of(kind()).orElseThrow();
  }

  /// What its elements are encoded by.
  String fingerprint();

  /// The same kind, with codecs that read what was stored under an earlier fingerprint.
  ///
  /// @throws IllegalArgumentException saying why they can't
  Kind<C> adaptedTo(String stored);

  /// Whether the collection is made where there is none yet.
  default boolean isMade() {
    return true;
  }

  /// Opens the one that a block begins.
  ///
  /// @param onFile whether the region outlives the process as a file does
  C open(Region region, long firstBlock, boolean onFile);

  /// Whether elements are the bytes that they are on media, so that a collection which is open
  /// already may be given another fingerprint.
  default boolean leavesBytes() {
    return false;
  }

  /// @param capacity how many elements at most
  record OfQueue<E>(String kind, Codec<E> codec, int capacity) implements Kind<PersistentQueue<E>> {
    @Override
    public String fingerprint() {
      return codec.fingerprint();
    }

    @Override
    public OfQueue<E> adaptedTo(String stored) {
      return new OfQueue<>(kind, codec.adaptedTo(stored), capacity);
    }

    @Override
    public PersistentQueue<E> open(Region region, long firstBlock, boolean onFile) {
      return new PersistentQueue<>(region, codec, firstBlock, capacity);
    }
  }

  record OfHashMap<K, V>(String kind, EntryCodec<K, V> codecs)
      implements Kind<PersistentHashMap<K, V>> {
    @Override
    public String fingerprint() {
      return codecs.fingerprint();
    }

    @Override
    public OfHashMap<K, V> adaptedTo(String stored) {
      return new OfHashMap<>(kind, codecs.adaptedTo(stored));
    }

    @Override
    public PersistentHashMap<K, V> open(Region region, long firstBlock, boolean onFile) {
      return new PersistentHashMap<>(region, codecs, firstBlock, onFile);
    }
  }

  /// A hash map from numbers, with values that are listed without their classes too, and so are
  /// bytes here: the unfinished calls of a resumable, or how far a job has come.
  ///
  /// @param fingerprint what the bytes are encoded by
  /// @param adaptation from a stored fingerprint to the one that is stored in its place; throws
  ///   `IllegalArgumentException` saying why there is none. `null` for reading what is there:
  ///   nothing is made then, nor adapted
  record OfBytes(String kind, String fingerprint, UnaryOperator<String> adaptation)
      implements Kind<PersistentHashMap<Long, byte[]>> {
    @Override
    public OfBytes adaptedTo(String stored) {
      return new OfBytes(kind, isMade() ? adaptation.apply(stored) : stored, adaptation);
    }

    @Override
    public boolean isMade() {
      return adaptation != null;
    }

    @Override
    public boolean leavesBytes() {
      return true;
    }

    @Override
    public PersistentHashMap<Long, byte[]> open(Region region, long firstBlock, boolean onFile) {
      EntryCodec<Long, byte[]> bytes =
          new EntryCodec<>(Codec.of(Long.class), new RawCodec(fingerprint));
      return new PersistentHashMap<>(region, bytes, firstBlock, onFile);
    }
  }

  /// @param codecs of keys, which the queue makes, and elements
  record OfDelayQueue<E>(String kind, EntryCodec<UUID, E> codecs)
      implements Kind<PersistentDelayQueue<E>> {
    @Override
    public String fingerprint() {
      return new SortedFingerprint(codecs.fingerprint(), "").toString();
    }

    @Override
    public OfDelayQueue<E> adaptedTo(String stored) {
      return new OfDelayQueue<>(kind, codecs.adaptedTo(SortedFingerprint.of(stored).codecs()));
    }

    @Override
    public PersistentDelayQueue<E> open(Region region, long firstBlock, boolean onFile) {
      return new PersistentDelayQueue<>(region, codecs.key(), codecs.value(), firstBlock);
    }
  }

  /// @param order the comparator's name; empty for the natural order
  /// @param comparator `null` for that
  record OfTreeMap<K, V>(EntryCodec<K, V> codecs, String order, Comparator<? super K> comparator)
      implements Kind<PersistentTreeMap<K, V>> {
    @Override
    public String kind() {
      return PersistentTreeMap.KIND;
    }

    @Override
    public String fingerprint() {
      return new SortedFingerprint(codecs.fingerprint(), order).toString();
    }

    @Override
    public OfTreeMap<K, V> adaptedTo(String stored) {
      SortedFingerprint found = SortedFingerprint.of(stored);
      if (!found.order().equals(order)) {
        throw new IllegalArgumentException(
            "keys are in another order: stored=%s, asked=%s. Open it with the comparator that it was made with, or use another name"
                .formatted(shown(found.order()), shown(order)));
      }
      return new OfTreeMap<>(codecs.adaptedTo(found.codecs()), order, comparator);
    }

    private static String shown(String order) {
      return order.isEmpty() ? "natural order" : order;
    }

    @Override
    public PersistentTreeMap<K, V> open(Region region, long firstBlock, boolean onFile) {
      return new PersistentTreeMap<>(region, codecs.key(), codecs.value(), comparator, firstBlock);
    }
  }
}
