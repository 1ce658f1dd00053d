package io.holdfast.collections;

import io.holdfast.codec.Codec;
import io.holdfast.collections.tree.EntryTree;
import io.holdfast.core.heap.Root;
import io.holdfast.core.heap.RootDirectory.Disposal;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.region.Region;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

/// A region with sorted maps, by name.
final class TreeMapRegion implements AutoCloseable {
  private final Region region;
  private final Map<String, PersistentTreeMap<?, ?>> maps = new HashMap<>();

  private TreeMapRegion(Region region) {
    this.region = region;
  }

  static TreeMapRegion open(Memory memory, long initialBytes) {
    return new TreeMapRegion(Region.open(memory, initialBytes));
  }

  Region region() {
    return region;
  }

  /// Opens or creates a map.
  @SuppressWarnings("unchecked") // a test asks for the same classes each time
  <K, V> PersistentTreeMap<K, V> map(
      String name, Codec<K> key, Codec<V> value, Comparator<? super K> comparator) {
    return (PersistentTreeMap<K, V>)
        maps.computeIfAbsent(
            name,
            n -> {
              Root root = region.roots().find(n);
              if (root == null) {
                root =
                    region
                        .roots()
                        .create(n, PersistentTreeMap.KIND, "", () -> EntryTree.create(region));
              }
              return new PersistentTreeMap<>(region, key, value, comparator, root.firstBlock());
            });
  }

  /// Deletes a map and frees its blocks.
  void delete(String name) {
    PersistentTreeMap<?, ?> map = maps.remove(name);
    map.delete(() -> region.roots().delete(name));
    boolean more = true;
    while (more) {
      more =
          region
              .roots()
              .disposeSome(
                  root -> EntryTree.freeSome(region, root.firstBlock(), Disposal.CHANGES_MAX));
    }
  }

  @Override
  public void close() {
    region.close();
  }
}
