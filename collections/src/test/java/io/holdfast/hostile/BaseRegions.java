package io.holdfast.hostile;

import io.holdfast.Holdfast;
import io.holdfast.codec.Codec;
import io.holdfast.collections.PersistentHashMap;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.collections.PersistentTreeMap;
import io.holdfast.core.Durability;
import io.holdfast.core.heap.Root;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.hooks.SectionHooks;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;

/// Regions as programs leave them, to be damaged: closed ones, and ones whose process was killed,
/// which is a copy of the file at that moment.
final class BaseRegions {
  /// A region's bytes.
  ///
  /// @param options how it is opened
  record Base(String name, byte[] bytes, Holdfast.Options options) {
    @Override
    public String toString() {
      return name;
    }
  }

  /// An element with components of its own.
  record Order(long id, String text, byte[] attachment) {}

  private static final Holdfast.Options PROCESS = Holdfast.Options.defaults();
  private static final Holdfast.Options POWER =
      PROCESS.durability(Durability.POWER_FAILURE).treatAsPersistentMemory();

  /// Where a map's root says of which run of the system its index is.
  private static final long MAP_BOOT = 24;

  /// More threads than the first group of logs has slots.
  private static final int THREADS = 30;

  private final Path directory;

  BaseRegions(Path directory) {
    this.directory = directory;
  }

  /// What is done to a store; may copy its file in the middle.
  private interface Work {
    void on(Holdfast store, Region region, Runnable kill);
  }

  List<Base> all() {
    List<Base> bases = new ArrayList<>();
    bases.add(base("empty", PROCESS, (store, region, kill) -> {}));
    bases.add(base("queues", PROCESS, (store, region, kill) -> fill(store)));
    bases.add(
        base(
            "killed",
            PROCESS,
            (store, region, kill) -> {
              fill(store);
              store.atomically(
                  () -> {
                    work(store);
                    kill.run();
                  });
            }));
    bases.add(base("waiting", PROCESS, BaseRegions::waiting));
    bases.add(
        base(
            "deleting",
            PROCESS,
            (store, region, kill) -> {
              fill(store);
              region.roots().delete("texts");
              region.roots().delete("longs");
              kill.run();
            }));
    bases.add(base("maps", PROCESS, (store, region, kill) -> fillMaps(store)));
    bases.add(
        base(
            "mapsKilled",
            POWER,
            (store, region, kill) -> {
              fillMaps(store);
              store.atomically(
                  () -> {
                    workOnMaps(store);
                    kill.run();
                  });
            }));
    bases.add(
        base(
            "mapsRebuilt",
            POWER,
            (store, region, kill) -> {
              fillMaps(store);
              for (Root root : region.roots().all()) { // as if the system had been down
                region.memory().writePlain(root.firstBlock() + MAP_BOOT, 1);
              }
              kill.run();
            }));
    bases.add(
        base(
            "treesKilled",
            POWER,
            (store, region, kill) -> {
              fillTrees(store);
              store.atomically(
                  () -> {
                    workOnTrees(store);
                    kill.run();
                  });
            }));
    bases.add(base("chunks", PROCESS, BaseRegions::chunks));
    bases.add(base("groups", PROCESS, BaseRegions::groups));
    bases.add(
        base(
            "power",
            POWER,
            (store, region, kill) -> {
              fill(store);
              store.atomically(
                  () -> {
                    work(store);
                    kill.run();
                  });
            }));
    return bases;
  }

  private Base base(String name, Holdfast.Options options, Work work) {
    Path path = directory.resolve("base-" + name);
    byte[][] killed = new byte[1][];
    try {
      try (RegionFile file = RegionFile.open(path)) {
        Region.open(file.memory(), RegionLayout.MIN_BYTES).close();
      }
      try (Holdfast store = Holdfast.open(path, options)) {
        work.on(store, HostileStore.region(store), () -> killed[0] = read(path));
      }
      byte[] bytes = killed[0] != null ? killed[0] : read(path);
      Files.delete(path);
      return new Base(name, bytes, options);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// A mapping makes the file longer for a moment, where the store grows.
  private static byte[] read(Path path) {
    try (InputStream in = Files.newInputStream(path)) {
      long length = Files.size(path);
      while (length > Integer.MAX_VALUE) {
        Thread.onSpinWait();
        length = Files.size(path);
      }
      return in.readNBytes((int) length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Queues of each codec: in several blocks, with elements outside of them, with removed ones, and
  /// an empty one.
  private static void fill(Holdfast store) {
    PersistentQueue<String> texts = store.queue("texts", String.class);
    PersistentQueue<Long> longs = store.queue("longs", Long.class);
    PersistentQueue<Order> orders = store.queue("orders", Order.class);
    for (int i = 0; i < 160; i++) {
      longs.add((long) i);
      texts.add("text " + i);
      if (i % 5 == 0) {
        orders.add(new Order(i, "ä\u20ac" + i, new byte[i]));
      }
    }
    texts.add("o".repeat(3_000));
    texts.add("s".repeat(20_000));
    longs.removeIf(i -> i % 7 == 3);
    store.queue("empty", Integer.class);
    store.queue("bytes", byte[].class).add(new byte[100]);
  }

  /// Maps with words, with entries of several lines, one with a large entry, one that was cleared.
  private static void fillMaps(Holdfast store) {
    PersistentHashMap<Long, Long> words = store.hashMap("words", Long.class, Long.class);
    PersistentHashMap<String, String> texts = store.hashMap("maps", String.class, String.class);
    for (int i = 0; i < 400; i++) {
      words.put((long) i, (long) -i);
      texts.put("key " + i, "v".repeat(i));
    }
    for (int i = 0; i < 400; i += 3) {
      words.remove((long) i);
      texts.put("key " + i, "short");
    }
    texts.put("large", "l".repeat(50_000));
    texts.put("another", "l".repeat(40_000));
    store.hashMap("cleared", Long.class, Long.class).put(1L, 2L);
    store.hashMap("cleared", Long.class, Long.class).clear();
    store.hashMap("empty", String.class, String.class);
  }

  /// Trees of words, and of texts of all lengths, one cleared, one empty.
  private static void fillTrees(Holdfast store) {
    PersistentTreeMap<Long, Long> words = store.treeMap("words", Long.class, Long.class);
    PersistentTreeMap<String, String> texts = store.treeMap("trees", String.class, String.class);
    for (int i = 0; i < 400; i++) {
      words.put(i * 77L % 400, (long) -i);
      texts.put("key " + i, "v".repeat(i * 2));
    }
    for (int i = 0; i < 400; i += 3) {
      words.remove((long) i);
      texts.put("key " + i, "short");
    }
    store.treeMap("cleared", Long.class, Long.class).put(1L, 2L);
    store.treeMap("cleared", Long.class, Long.class).clear();
    store.treeMap("empty", String.class, String.class);
  }

  private static void workOnTrees(Holdfast store) {
    PersistentTreeMap<Long, Long> words = store.treeMap("words", Long.class, Long.class);
    PersistentTreeMap<String, String> texts = store.treeMap("trees", String.class, String.class);
    for (int i = 100; i < 130; i++) {
      words.put((long) -i, 1L);
      texts.remove("key " + i);
    }
    texts.put("key 399", "m".repeat(2_000));
    store.treeMap("cleared", Long.class, Long.class).put(3L, 4L);
  }

  private static void workOnMaps(Holdfast store) {
    PersistentHashMap<Long, Long> words = store.hashMap("words", Long.class, Long.class);
    PersistentHashMap<String, String> texts = store.hashMap("maps", String.class, String.class);
    for (int i = 100; i < 130; i++) {
      words.put((long) i, 1L);
      texts.remove("key " + i);
    }
    texts.put("large", "m".repeat(60_000));
  }

  private static void work(Holdfast store) {
    PersistentQueue<String> texts = store.queue("texts", String.class);
    PersistentQueue<Long> longs = store.queue("longs", Long.class);
    for (int i = 0; i < 5; i++) {
      texts.add("moved " + longs.remove());
    }
    texts.add("u".repeat(2_500));
    texts.remove("text 100");
    store.queue("new", String.class).add("n");
  }

  /// A section that is open, one that waits for it, one that waits for that.
  private static void waiting(Holdfast store, Region region, Runnable kill) {
    fill(store);
    PersistentQueue<Long> longs = store.queue("longs", Long.class);
    CountDownLatch first = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    PersistentQueue<Long> fresh = store.queue("fresh", Long.class);
    List<Thread> threads = new ArrayList<>();
    threads.add(
        start(
            () ->
                store.atomically(
                    () -> {
                      fresh.addAll(List.of(1L, 2L, 3L, 4L));
                      longs.remove();
                      SectionHooks.publishing(first); // others find what it did, and depend on it
                      first.countDown();
                      await(end);
                    })));
    await(first);
    for (int i = 0; i < 2; i++) {
      Thread waits = start(() -> store.relaxed(() -> longs.add(fresh.remove())));
      join(waits);
    }
    kill.run();
    end.countDown();
    threads.forEach(BaseRegions::join);
  }

  /// A log of several chunks, with ranges.
  private static void chunks(Holdfast store, Region region, Runnable kill) {
    fill(store);
    SectionHooks.enter();
    long block = region.heap().allocate(60_000);
    SectionHooks.exit();
    store.atomically(
        () -> {
          for (long at = block; at < block + 36_000; at += 8) {
            region.sections().current().write(at, at);
          }
          region.sections().current().fill(block + 36_000, 1_000, 7);
          region.sections().current().copy(block + 40_000, new byte[12_000], 0, 12_000);
          work(store);
          kill.run();
        });
  }

  /// More open sections than the first group has logs.
  private static void groups(Holdfast store, Region region, Runnable kill) {
    fill(store);
    CountDownLatch open = new CountDownLatch(THREADS);
    CountDownLatch end = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    long[] block = new long[1];
    store.atomically(() -> block[0] = region.heap().allocate(4_096));
    for (int i = 0; i < THREADS; i++) {
      long at = block[0] + 64L * i;
      threads.add(
          start(
              () ->
                  store.atomically(
                      () -> {
                        region.sections().current().write(at, at);
                        region.sections().current().write(at + 8, at);
                        open.countDown();
                        await(end);
                      })));
    }
    await(open);
    kill.run();
    end.countDown();
    threads.forEach(BaseRegions::join);
  }

  private static Thread start(Runnable action) {
    ThreadFactory platform = Thread.ofPlatform().factory();
    Thread thread = platform.newThread(action);
    thread.start();
    return thread;
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /// The codec of a root's elements; that of bytes if it is none of these.
  static Codec<?> codec(String fingerprint) {
    for (Codec<?> codec :
        List.of(
            Codec.of(String.class),
            Codec.of(Long.class),
            Codec.of(Integer.class),
            Codec.of(Order.class))) {
      if (codec.fingerprint().equals(fingerprint)) {
        return codec;
      }
    }
    return Codec.of(byte[].class);
  }
}
