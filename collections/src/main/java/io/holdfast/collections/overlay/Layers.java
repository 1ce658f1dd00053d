package io.holdfast.collections.overlay;

import io.holdfast.codec.Encoded;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeMap;

/// The layers of a section, by key: few as a rule, and then looked through one by one.
///
/// Confined to its thread.
final class Layers {
  /// So many keys are looked through one by one.
  static final int FEW = 8;

  private final Comparator<Encoded> order;
  private Layer[] layers = new Layer[FEW / 2];
  private int size;

  /// All by key, once there are many, or if keys are ordered; else `null`.
  private Map<Encoded, Layer> index;

  /// @param order `null` if keys are the same when their bytes are
  Layers(Comparator<Encoded> order) {
    this.order = order;
    this.index = order == null ? null : new TreeMap<>(order);
  }

  int size() {
    return size;
  }

  Layer at(int place) {
    return layers[place];
  }

  /// @return `null` if the key has none
  Layer of(Encoded key) {
    if (index != null) {
      return index.get(key);
    }
    for (int i = 0; i < size; i++) {
      if (layers[i].key.equals(key)) {
        return layers[i];
      }
    }
    return null;
  }

  /// Adds the layer of a key that has none.
  void add(Layer layer) {
    if (size == layers.length) {
      layers = Arrays.copyOf(layers, 2 * size);
    }
    if (index == null && size == FEW) {
      index = new HashMap<>(4 * FEW);
      for (int i = 0; i < size; i++) {
        index.put(layers[i].key, layers[i]);
      }
    }
    if (index != null) {
      index.put(layer.key, layer);
    }
    layer.place = size;
    layers[size++] = layer;
  }

  /// Puts a layer in the place of another one of the same key.
  void replace(Layer replaced, Layer layer) {
    if (index != null) {
      index.put(layer.key, layer);
    }
    layer.place = replaced.place;
    layers[layer.place] = layer;
  }

  /// The keys, in their order if they have one.
  Set<Encoded> keys() {
    return index != null ? index.keySet() : new FewKeys();
  }

  void clear() {
    int count = size;
    size = 0; // first: what follows may be cut off by an error of the JVM
    if (count > FEW) {
      layers = new Layer[FEW / 2];
      index = order == null ? null : new TreeMap<>(order);
    } else {
      Arrays.fill(layers, 0, count, null);
      if (index != null) {
        index.clear();
      }
    }
  }

  private final class FewKeys extends AbstractSet<Encoded> {
    @Override
    public int size() {
      return size;
    }

    @Override
    public boolean contains(Object key) {
      return key instanceof Encoded sought && of(sought) != null;
    }

    @Override
    public Iterator<Encoded> iterator() {
      return new Iterator<>() {
        private int next;

        @Override
        public boolean hasNext() {
          return next < size;
        }

        @Override
        public Encoded next() {
          if (next >= size) {
            throw new NoSuchElementException();
          }
          return layers[next++].key;
        }
      };
    }
  }
}
