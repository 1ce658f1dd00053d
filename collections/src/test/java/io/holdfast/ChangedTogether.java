package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.collections.PersistentHashMap;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.collections.PersistentTreeMap;
import java.util.Arrays;
import java.util.List;

/// Four collections that are changed together, and tell how often they were.
final class ChangedTogether {
  /// Residues by which a map's keys are taken again and again.
  private static final long KEYS = 7;

  private final Holdfast store;
  private final PersistentHashMap<Long, Long> map;
  private final PersistentHashMap<Long, byte[]> blobs;
  private final PersistentTreeMap<Long, Long> tree;
  private final PersistentQueue<Long> queue;

  ChangedTogether(Holdfast store) {
    this.store = store;
    this.map = store.hashMap("map", Long.class, Long.class);
    this.blobs = store.hashMap("blobs", Long.class, byte[].class);
    this.tree = store.treeMap("tree", Long.class, Long.class);
    this.queue = store.queue("queue", Long.class);
  }

  void change(long i) {
    byte[] blob = new byte[(int) (i * 1_000 % 60_000)];
    Arrays.fill(blob, (byte) i);
    store.transaction(
        () -> {
          map.put(i % KEYS, i);
          blobs.put(i % KEYS, blob);
          tree.put(i, -i);
          queue.add(i);
        });
  }

  /// @return the last change
  long check() {
    List<Long> all = List.copyOf(queue);
    long last = all.size();
    for (int i = 0; i < last; i++) {
      assertThat(all.get(i)).isEqualTo(i + 1);
      assertThat(tree.get(i + 1L)).isEqualTo(-i - 1L);
    }
    assertThat(tree).hasSize((int) last);
    for (long key = Math.max(1, last - KEYS + 1); key <= last; key++) {
      assertThat(map).containsEntry(key % KEYS, key);
      byte[] blob = blobs.get(key % KEYS);
      assertThat(blob).hasSize((int) (key * 1_000 % 60_000)).hasSize(blob.length);
    }
    return last;
  }
}
