package io.holdfast.hostile;

import io.holdfast.Holdfast;
import io.holdfast.codec.Codec;
import io.holdfast.codec.EncodedEntry;
import io.holdfast.codec.EntryCodec;
import io.holdfast.collections.PersistentHashMap;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.collections.PersistentTreeMap;
import io.holdfast.collections.map.EntryMap;
import io.holdfast.core.heap.Root;
import io.holdfast.core.region.Region;
import io.holdfast.hostile.BaseRegions.Base;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Opens a file and looks at all that is in it.
final class HostileStore {
  /// What opening answered; the walk after it answers for itself.
  enum Stage {
    OPENING,
    WALKING,
    USING
  }

  /// More than a block of a queue holds.
  private static final int USES = 150;

  private Stage stage = Stage.OPENING;

  Stage stage() {
    return stage;
  }

  void openAndWalk(Path path, Base base) {
    try (Holdfast store = Holdfast.open(path, base.options())) {
      stage = Stage.WALKING;
      Region region = region(store);
      RuntimeException first = null;
      for (Root root : region.roots().all()) {
        try {
          walk(region, root);
        } catch (RuntimeException e) {
          first = first == null ? e : first;
          HostileFilesTest.checkIsOurs(e);
        }
      }
      region.heap().validator().blocks();
      if (first != null) {
        throw first;
      }
      stage = Stage.USING;
      for (Root root : region.roots().all()) {
        use(store, root);
      }
    }
  }

  private static void use(Holdfast store, Root root) {
    if (Set.of(PersistentHashMap.KIND, PersistentTreeMap.KIND).contains(root.kind())) {
      useMap(store, root);
    }
    Codec<?> codec = BaseRegions.codec(root.fingerprint());
    if (root.kind().equals(PersistentQueue.KIND)
        && codec.fingerprint().equals(root.fingerprint())) {
      @SuppressWarnings("unchecked") // what comes out goes in again
      PersistentQueue<Object> queue = (PersistentQueue<Object>) store.queue(root.name(), codec);
      for (int i = 0; i < USES; i++) {
        Object taken = queue.poll();
        if (taken != null) {
          queue.add(taken);
        }
      }
      store.rename(root.name(), root.name() + "'");
      store.delete(root.name() + "'");
    }
  }

  private static final List<Class<?>> MAPPED = List.of(Long.class, String.class);

  private static void useMap(Holdfast store, Root root) {
    for (Class<?> type : MAPPED) {
      if (root.fingerprint().equals(EntryCodec.of(Codec.of(type), Codec.of(type)).fingerprint())) {
        useMap(store, root, type);
      }
    }
  }

  private static <T> void useMap(Holdfast store, Root root, Class<T> type) {
    boolean isTree = root.kind().equals(PersistentTreeMap.KIND);
    Map<T, T> map =
        isTree ? store.treeMap(root.name(), type, type) : store.hashMap(root.name(), type, type);
    RuntimeException first = null;
    int uses = 0;
    for (Map.Entry<T, T> entry : map.entrySet()) {
      if (uses++ < USES) {
        try {
          T value = map.remove(entry.getKey());
          if (value != null) {
            map.put(entry.getKey(), value);
          }
        } catch (RuntimeException e) {
          first = first == null ? e : first;
          HostileFilesTest.checkIsOurs(e);
        }
      }
    }
    if (first != null) {
      throw first;
    }
    map.clear();
    store.rename(root.name(), root.name() + "'");
    store.delete(root.name() + "'");
  }

  private static void walkTree(Region region, Root root, Class<?> type) {
    PersistentTreeMap<?, ?> tree =
        new PersistentTreeMap<>(region, Codec.of(type), Codec.of(type), null, root.firstBlock());
    RuntimeException first = null;
    try {
      tree.validate();
    } catch (RuntimeException e) {
      first = e;
      HostileFilesTest.checkIsOurs(e);
    }
    walkTree(tree);
    if (first != null) {
      throw first;
    }
  }

  private static <K> void walkTree(PersistentTreeMap<K, ?> tree) {
    for (K key : tree.keySet()) {
      tree.get(key);
    }
    tree.size();
    tree.lastEntry();
  }

  private static void walkMap(Region region, Root root) {
    EntryMap map = new EntryMap(region, root.firstBlock());
    RuntimeException first = null;
    List<EncodedEntry> entries = new ArrayList<>();
    try {
      map.validate();
      map.forEachBlock(block -> {});
    } catch (RuntimeException e) {
      first = e;
      HostileFilesTest.checkIsOurs(e);
    }
    for (EntryMap.Place at = EntryMap.Place.START; at != null; ) {
      at = map.walk(at, entries);
    }
    entries.forEach(entry -> map.get(entry.key()));
    map.size();
    if (first != null) {
      throw first;
    }
  }

  private static void walk(Region region, Root root) {
    if (root.kind().equals(PersistentHashMap.KIND)) {
      walkMap(region, root);
    }
    if (root.kind().equals(PersistentTreeMap.KIND)) {
      walkTree(region, root, root.fingerprint().contains("Long") ? Long.class : String.class);
    }
    if (root.kind().equals(PersistentQueue.KIND)) {
      PersistentQueue<?> queue =
          new PersistentQueue<>(
              region, BaseRegions.codec(root.fingerprint()), root.firstBlock(), Integer.MAX_VALUE);
      RuntimeException first = null;
      try {
        queue.validate();
      } catch (RuntimeException e) {
        first = e;
        HostileFilesTest.checkIsOurs(e);
      }
      long count = 0;
      for (Object element : queue) {
        count += element.hashCode() == 0 ? 2 : 1;
      }
      count += queue.toArray().length;
      queue.peek();
      if (first != null) {
        throw first;
      }
      if (count < 0) {
        throw new AssertionError("count=" + count);
      }
    }
  }

  /// The region of a store, which the front door does not show.
  static Region region(Holdfast store) {
    try {
      Field region = Holdfast.class.getDeclaredField("region");
      region.setAccessible(true);
      return (Region) region.get(store);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }
}
