package io.holdfast.collections.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.codec.Encoded;
import io.holdfast.codec.EncodedEntry;
import io.holdfast.collections.tree.leaf.LeafEntries;
import io.holdfast.collections.tree.node.KeyOrder;
import io.holdfast.core.Durability;
import io.holdfast.core.RegionFullException;
import io.holdfast.core.fixture.HookedMemory;
import io.holdfast.core.fixture.Intruder;
import io.holdfast.core.fixture.Words;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.region.Region;
import io.holdfast.testkit.Bounds;
import io.holdfast.testkit.RecordingMemory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Ranks of keys: against a sorted list, after crashes and sections that were rolled back, and
/// under change.
class TreeRanksTest {
  private static final Executor OWN_THREADS = task -> Thread.ofPlatform().daemon().start(task);

  /// Nine of them fill a leaf.
  private static final String VALUE = "v".repeat(150);

  @TempDir Path directory;

  /// All of it, against the keys in order.
  static void check(TreeRegion store) {
    check(store, 1);
  }

  private static void check(TreeRegion store, int step) {
    List<String> keys = new ArrayList<>(store.all().keySet());
    EntryTree tree = store.tree();
    for (int i = 0; i < keys.size(); i += step) {
      assertThat(tree.indexOf(TreeRegion.encoded(keys.get(i)))).isEqualTo(i);
      assertThat(TreeRegion.text(tree.keyAt(i))).isEqualTo(keys.get(i));
      assertThat(tree.indexOf(TreeRegion.encoded(keys.get(i) + " "))).isEqualTo(-2 - i);
    }
    assertThat(tree.indexOf(TreeRegion.encoded(""))).isEqualTo(-1);
    assertThat(tree.keyAt(keys.size())).isNull();
    assertThat(tree.validate()).isEqualTo(keys.size());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void areThoseOfASortedList(long seed) {
    Random random = new Random(seed);
    try (TreeRegion store = TreeRegion.open(new RecordingMemory()).create()) {
      check(store);
      int highest = 0;
      for (int round = 0; round < 60; round++) {
        boolean grows = round / 15 % 2 == 0;
        boolean inSection = random.nextInt(4) == 0;
        Runnable changes =
            () -> {
              for (int i = 0; i < 200; i++) {
                String key = longKey(random.nextInt(4_000));
                if (random.nextInt(10) < (grows ? 8 : 2)) {
                  store.put(key, VALUE);
                } else {
                  store.remove(key);
                }
              }
            };
        if (inSection) {
          Words.atomically(changes::run);
        } else {
          changes.run();
        }
        check(store, 1 + random.nextInt(40));
        highest = Math.max(highest, store.height());
        if (random.nextInt(12) == 0) {
          store.openAgain();
        }
        if (random.nextInt(40) == 0) {
          store.tree().clear();
          check(store);
        }
      }
      check(store);
      assertThat(highest).isGreaterThan(1);
    }
  }

  /// What was counted below it when it was no top is of no use, since changes are not noted at a
  /// top.
  @Test
  void aTopThatWasBelowAnother() {
    try (TreeRegion store = TreeRegion.open(new RecordingMemory()).create()) {
      int count = 300;
      for (int round = 0; round < 2; round++) {
        for (int i = 0; i < count; i++) {
          store.put(longKey(i), VALUE);
          assertThat(store.tree().indexOf(TreeRegion.encoded(longKey(i)))).isEqualTo(i);
        }
        check(store, 7);
        assertThat(store.height()).isGreaterThan(1);
        for (int i = count - 1; i >= 0; i--) {
          store.remove(longKey(i));
          assertThat(store.tree().indexOf(TreeRegion.encoded(longKey(i)))).isEqualTo(-1 - i);
          assertThat(store.tree().validate()).as("behind the removal of %d", i).isEqualTo(i);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void behindACrash(Durability durability) {
    TreeCrashes.explorer("ranks", durability)
        .bounds(new Bounds(3, 3, 3, 16))
        .crashesOfRecovery(0)
        .given(
            store -> {
              store.create();
              putLong(store, 0, 600, 2);
              assertThat(store.height()).isGreaterThan(1);
              check(store);
            })
        .check((store, point) -> check(store, 5))
        .step("some", store -> Words.atomically(() -> putLong(store, 1, 21, 2)))
        .step("count", store -> check(store, 5))
        .step(
            "a section",
            store ->
                Words.atomically(
                    () -> {
                      putLong(store, 21, 61, 2);
                      store.tree().indexOf(TreeRegion.encoded(longKey(40)));
                      for (int i = 100; i < 140; i++) {
                        store.remove(longKey(i));
                      }
                    }))
        .step("count", store -> check(store, 5))
        .explore();
  }

  /// Eighteen of them fill an inner node.
  private static String longKey(int number) {
    return "key %0200d".formatted(number);
  }

  private static void putLong(TreeRegion store, int from, int to, int step) {
    for (int i = from; i < to; i += step) {
      store.put(longKey(i), VALUE);
    }
  }

  @Test
  void behindASectionThatWasRolledBack() {
    RecordingMemory memory = new RecordingMemory();
    try (TreeRegion store = TreeRegion.open(memory).create()) {
      for (int i = 0; i < 2_000; i++) {
        store.put(longKey(i * 7 % 2_000), VALUE);
      }
      check(store, 7);
      memory.limitTo(memory.length());
      Words.atomically(
          () -> {
            for (int i = 500; i < 900; i++) {
              store.remove(longKey(i));
            }
            check(store, 7);
            Assertions.assertThatThrownBy(() -> store.region().heap().allocate(10_000_000))
                .isInstanceOf(RegionFullException.class);
          });
      check(store, 7);
      assertThat(store.tree().size()).isEqualTo(2_000);
    }
  }

  /// At each store of changes somebody asks. Whatever he finds, after the change all is right.
  @Test
  void rank1AChangeAndACountSeeEachOther() {
    HookedMemory memory = new HookedMemory(new RecordingMemory());
    try (TreeRegion store = TreeRegion.open(memory).create()) {
      putLong(store, 0, 800, 2);
      assertThat(store.height()).isGreaterThan(1);
      Thread writer = Thread.currentThread();
      List<Thread> readers = new ArrayList<>();
      Runnable ask =
          () -> {
            store.tree().indexOf(TreeRegion.encoded(longKey(598)));
            store.tree().keyAt(150);
          };
      Runnable hook =
          () -> {
            if (Thread.currentThread() == writer) {
              Thread reader = Thread.ofPlatform().start(ask);
              readers.add(reader);
              Intruder.awaitEndOrWait(reader);
            }
          };
      for (int i = 1; i < 40; i += 3) { // some with a split, or a merge
        ask.run();
        memory.beforeEachStore(hook);
        store.put(longKey(i), VALUE);
        store.remove(longKey(i + 99));
        memory.beforeEachStore(() -> {});
        readers.forEach(TreeRanksTest::join);
        readers.clear();
        check(store, 50);
      }
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Steady keys are multiples of 100; between them others come and go. So the index of the n-th
  /// steady key is n at least, and 100 n at most; a steady key is there, and what is at an index is
  /// not far from it.
  @Test
  void rank1UnderChange() {
    int steady = 3_000;
    try (RegionFile file = RegionFile.open(directory.resolve("tree.hf"));
        Region region = Region.open(file.memory(), RegionFile.INITIAL_BYTES)) {
      long[] root = new long[1];
      region.roots().create("tree", "test", "", () -> root[0] = EntryTree.create(region));
      EntryTree tree = new EntryTree(region, root[0], KeyOrder.WORDS);
      for (long n = 0; n < steady; n++) {
        tree.put(Encoded.of(n * 100), Encoded.of(n));
      }
      AtomicInteger writing = new AtomicInteger(2);
      List<CompletableFuture<Void>> threads = new ArrayList<>();
      for (int writer = 0; writer < 2; writer++) {
        long seed = writer;
        threads.add(
            CompletableFuture.runAsync(
                () -> {
                  comeAndGo(tree, new Random(seed), steady);
                  writing.decrementAndGet();
                },
                OWN_THREADS));
      }
      threads.add(CompletableFuture.runAsync(() -> ask(tree, writing, steady), OWN_THREADS));
      threads.forEach(CompletableFuture::join);
      long index = 0;
      TreeWalk walk = tree.walk(true);
      for (LeafEntries page = walk.from(null, true); page != null; page = walk.next()) {
        for (EncodedEntry entry : page) {
          assertThat(tree.indexOf(entry.key())).isEqualTo(index);
          index++;
        }
      }
      assertThat(tree.keyAt(index)).isNull();
      assertThat(tree.validate()).isEqualTo(index);
    }
  }

  private static void comeAndGo(EntryTree tree, Random random, int steady) {
    for (int i = 0; i < 60_000; i++) {
      boolean grows = i / 10_000 % 2 == 0;
      long key = random.nextInt(steady * 100);
      if (key % 100 != 0 && random.nextInt(10) < (grows ? 9 : 1)) {
        tree.put(Encoded.of(key), Encoded.of(key));
      } else if (key % 100 != 0) {
        tree.remove(Encoded.of(key));
      }
    }
  }

  private static void ask(EntryTree tree, AtomicInteger writing, int steady) {
    Random random = new Random(7);
    while (writing.get() > 0) {
      long n = random.nextInt(steady);
      long index = tree.indexOf(Encoded.of(n * 100));
      assertThat(index).isBetween(n, n * 100);
      long at = tree.keyAt(n).word();
      assertThat(at).isBetween(0L, n * 100);
    }
  }
}
