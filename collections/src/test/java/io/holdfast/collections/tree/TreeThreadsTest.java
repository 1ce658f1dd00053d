package io.holdfast.collections.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.codec.Encoded;
import io.holdfast.codec.EncodedEntry;
import io.holdfast.collections.keyed.KeyedRegion;
import io.holdfast.collections.keyed.KeyedThreadsContract;
import io.holdfast.collections.tree.leaf.LeafEntries;
import io.holdfast.collections.tree.node.KeyOrder;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.hooks.SectionHooks;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Readers and scans against writers, splits and merges, on a real file.
class TreeThreadsTest extends KeyedThreadsContract {
  @Override
  protected KeyedRegion open(Memory memory) {
    return TreeRegion.open(memory);
  }

  /// Keys that are always there, among others that come and go.
  private static final int STEADY = 400;

  private static final int WRITES = 12_000;

  private static final int COMINGS_AND_GOINGS = 50_000;

  /// The common pool may have one thread only.
  private static final Executor OWN_THREADS = task -> Thread.ofPlatform().daemon().start(task);

  @TempDir Path directory;

  private static EntryTree create(Region region) {
    long[] root = new long[1];
    region.roots().create("tree", "test", "", () -> root[0] = EntryTree.create(region));
    return new EntryTree(region, root[0], KeyOrder.WORDS);
  }

  /// Each value is one byte many times, so that a mixture of two shows.
  private static Encoded value(Random random) {
    byte[] bytes = new byte[1 + random.nextInt(random.nextInt(20) == 0 ? 600 : 60)];
    Arrays.fill(bytes, (byte) random.nextInt());
    return Encoded.of(bytes);
  }

  private static void checkWhole(Encoded value) {
    byte[] bytes = value.bytes();
    for (int i = 1; i < value.length(); i++) {
      if (bytes[i] != bytes[0]) {
        throw new AssertionError("a mixture: at=%d of %d".formatted(i, value.length()));
      }
    }
  }

  @Test
  void readersSeeWholeEntriesAndScansHaveNoGaps() throws Exception {
    try (RegionFile file = RegionFile.open(directory.resolve("tree.hf"));
        Region region = Region.open(file.memory(), RegionFile.INITIAL_BYTES)) {
      EntryTree tree = create(region);
      for (int key = 0; key < STEADY; key++) {
        tree.put(Encoded.of(key * 100L), value(new Random(key)));
      }
      AtomicBoolean done = new AtomicBoolean();
      List<CompletableFuture<Void>> readers = new ArrayList<>();
      readers.add(CompletableFuture.runAsync(() -> read(tree, done), OWN_THREADS));
      readers.add(CompletableFuture.runAsync(() -> scan(tree, done, true), OWN_THREADS));
      readers.add(CompletableFuture.runAsync(() -> scan(tree, done, false), OWN_THREADS));
      List<CompletableFuture<Void>> writers = new ArrayList<>();
      for (int writer = 0; writer < 2; writer++) {
        int number = writer;
        writers.add(CompletableFuture.runAsync(() -> write(tree, number), OWN_THREADS));
      }
      writers.forEach(CompletableFuture::join);
      done.set(true);
      readers.forEach(CompletableFuture::join);
      assertThat(tree.validate()).isEqualTo(tree.size());
    }
  }

  /// The size was counted before, and is kept while two threads change it.
  @Test
  void noChangeOfTheSizeIsLost() throws Exception {
    try (RegionFile file = RegionFile.open(directory.resolve("tree.hf"));
        Region region = Region.open(file.memory(), RegionFile.INITIAL_BYTES)) {
      EntryTree tree = create(region);
      assertThat(tree.size()).isZero();
      List<CompletableFuture<Void>> writers = new ArrayList<>();
      for (int writer = 0; writer < 2; writer++) {
        int number = writer;
        writers.add(CompletableFuture.runAsync(() -> comeAndGo(tree, number), OWN_THREADS));
      }
      writers.forEach(CompletableFuture::join);
      assertThat(tree.knownSize()).isEqualTo(tree.validate()).isPositive();
      assertThat(tree.changes()).isEqualTo(2L * COMINGS_AND_GOINGS);
    }
  }

  /// By a thread whose keys are not the other's.
  private static void comeAndGo(EntryTree tree, int number) {
    Random random = new Random(number);
    Set<Long> there = new HashSet<>();
    for (int i = 0; i < COMINGS_AND_GOINGS; i++) {
      long key = 2L * random.nextInt(2_000) + number;
      if (there.add(key)) {
        tree.put(Encoded.of(key), Encoded.of(key));
      } else {
        there.remove(key);
        tree.remove(Encoded.of(key));
      }
    }
  }

  private static void read(EntryTree tree, AtomicBoolean done) {
    Random random = new Random(7);
    while (!done.get()) {
      long key = random.nextInt(STEADY) * 100L;
      Encoded found = tree.get(Encoded.of(key));
      assertThat(found).as("key %d", key).isNotNull();
      checkWhole(found);
      EncodedEntry nearest = tree.nearest(Encoded.of(key), true, random.nextBoolean());
      assertThat(nearest.key().word()).isEqualTo(key);
    }
  }

  private static void scan(EntryTree tree, AtomicBoolean done, boolean ascending) {
    while (!done.get()) {
      long steady = 0;
      long last = ascending ? Long.MIN_VALUE : Long.MAX_VALUE;
      TreeWalk walk = tree.walk(ascending);
      for (LeafEntries page = walk.from(null, true); page != null; page = walk.next()) {
        for (EncodedEntry entry : page) {
          long key = entry.key().word();
          assertThat(ascending ? key > last : key < last).as("%d behind %d", key, last).isTrue();
          last = key;
          steady += key % 100 == 0 ? 1 : 0;
        }
      }
      assertThat(steady).isEqualTo(STEADY);
    }
  }

  private static void write(EntryTree tree, int number) {
    Random random = new Random(100 + number);
    for (int i = 0; i < WRITES; i++) {
      boolean inSection = random.nextInt(50) == 0;
      if (inSection) {
        SectionHooks.enter();
      }
      long key = random.nextInt(STEADY * 100);
      boolean grows = i / 1000 % 2 == 0;
      if (key % 100 == 0 || random.nextInt(10) < (grows ? 8 : 2)) {
        tree.put(Encoded.of(key), value(random));
      } else {
        tree.remove(Encoded.of(key));
      }
      if (inSection) {
        SectionHooks.exit();
      }
    }
  }
}
