package io.holdfast.collections.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.tree.leaf.LeafWriter;
import io.holdfast.collections.tree.leaf.Operation;
import io.holdfast.collections.tree.leaf.TreeParts;
import io.holdfast.collections.tree.node.Inner.Side;
import io.holdfast.collections.tree.node.KeyOrder;
import io.holdfast.collections.tree.node.StructureChange;
import io.holdfast.collections.tree.node.TreeReader;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.region.Region;
import io.holdfast.testkit.TestForm;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Threads that change which nodes there are at once (STRUCT-2). Keys are so long that a node has
/// some fifteen children: so the tree is high.
class TreeStructureTest {
  private static final int KEYS = 3_000;

  /// More than a lowest node leads to.
  private static final int FILLING = 130;

  private static final int WRITERS = 3;
  private static final int WRITES = TestForm.count(20_000, 200_000);
  private static final Executor OWN_THREADS = task -> Thread.ofPlatform().daemon().start(task);

  @TempDir Path directory;
  private RegionFile file;
  private Region region;
  private long root;
  private EntryTree tree;

  @BeforeEach
  void open() throws Exception {
    file = RegionFile.open(directory.resolve("tree.hf"));
    region = Region.open(file.memory(), RegionFile.INITIAL_BYTES);
    region.roots().create("tree", "test", "", () -> root = EntryTree.create(region));
    tree = new EntryTree(region, root, KeyOrder.BYTES);
  }

  @AfterEach
  void close() throws Exception {
    region.close();
    file.close();
  }

  /// A key that stays.
  private static Encoded key(long number) {
    return key(number, 0);
  }

  /// Keys of writers lie between those that stay. All are long, and no prefix shortens them.
  private static Encoded key(long number, int writer) {
    String text = "%08d".formatted(number * (1 + WRITERS) + writer) + ".".repeat(232);
    return Encoded.of(text.getBytes(StandardCharsets.US_ASCII));
  }

  private void fill() {
    for (int i = 0; i < KEYS; i++) {
      tree.put(key(i), Encoded.of(i));
    }
  }

  /// A thread that has what leads to one leaf is in nobody's way but those whose leaves hang on the
  /// same word or share its lock.
  @Test
  void struct2ChangesOfDifferentNodesDoNotMeet() {
    fill();
    TreeParts parts = TreeParts.of(region, root, KeyOrder.BYTES, () -> {});
    StructureChange first = locking(parts, 0);
    List<CompletableFuture<Void>> others = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      int number = KEYS / 2 + i * 50;
      others.add(CompletableFuture.runAsync(() -> locking(parts, number).giveUp(), OWN_THREADS));
    }
    CompletableFuture.anyOf(others.toArray(CompletableFuture[]::new))
        .orTimeout(1, TimeUnit.MINUTES)
        .join();
    CompletableFuture<Void> same =
        CompletableFuture.runAsync(() -> locking(parts, 1).giveUp(), OWN_THREADS);
    CompletableFuture<Void> all =
        CompletableFuture.runAsync(
            () -> parts.structure().whileQuiet(() -> assertThat(same).isNotNull()), OWN_THREADS);
    for (CompletableFuture<Void> waiting : List.of(same, all)) {
      assertThatThrownBy(() -> waiting.get(1, TimeUnit.SECONDS))
          .isInstanceOf(TimeoutException.class);
    }
    first.giveUp();
    others.forEach(CompletableFuture::join);
    same.join();
    all.join();
  }

  @Test
  void struct2WhoHasAllKeepsEachOut() {
    fill();
    TreeParts parts = TreeParts.of(region, root, KeyOrder.BYTES, () -> {});
    CompletableFuture<Void> other =
        parts
            .structure()
            .whileQuiet(
                () -> {
                  CompletableFuture<Void> one =
                      CompletableFuture.runAsync(() -> locking(parts, 1).giveUp(), OWN_THREADS);
                  assertThatThrownBy(() -> one.get(1, TimeUnit.SECONDS))
                      .isInstanceOf(TimeoutException.class);
                  return one;
                });
    other.join();
  }

  private static StructureChange locking(TreeParts parts, int number) {
    StructureChange change = parts.structure().change(false);
    change.lock(leaf(parts, key(number)), key(number));
    return change;
  }

  private static long leaf(TreeParts parts, Encoded key) {
    TreeReader.Found found = new TreeReader.Found();
    for (int i = 0; !parts.structure().find(key, Side.AT, found, null, i); i++) {
      Thread.onSpinWait();
    }
    return found.leaf;
  }

  /// The words of a node that is copied must not be stored to meanwhile, so a node far away is not
  /// split as long as another lock than its own is held.
  @Test
  void struct2AChangeThatGoesFurtherWaitsForAll() throws Exception {
    fill();
    TreeParts parts = TreeParts.of(region, root, KeyOrder.BYTES, () -> {});
    LeafWriter writer = new LeafWriter(parts, key -> {});
    StructureChange first = locking(parts, 0);
    CompletableFuture<Void> split =
        CompletableFuture.runAsync(
            () -> {
              for (int i = 0; i < FILLING; i++) {
                Encoded key = key(KEYS + i);
                long leaf = leaf(parts, key);
                Operation operation = new Operation(parts.locks(), parts.structure(), leaf);
                writer.change(operation, leaf, key, before -> key);
                operation.end();
              }
            },
            OWN_THREADS);
    assertThatThrownBy(() -> split.get(2, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
    first.giveUp();
    split.join();
    tree = new EntryTree(region, root, KeyOrder.BYTES);
    assertThat(tree.validate()).isEqualTo(KEYS + FILLING);
  }

  /// Each has keys of its own, in all nodes, which come and go by runs, so that nodes of all
  /// heights are split and emptied. Keys that are never removed are always found.
  @Test
  void struct2NothingIsLostWhereNodesComeAndGo() {
    fill();
    AtomicBoolean isOver = new AtomicBoolean();
    List<CompletableFuture<Map<Long, Long>>> writers = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      int writer = i;
      writers.add(CompletableFuture.supplyAsync(() -> write(writer), OWN_THREADS));
    }
    CompletableFuture<Void> reader = CompletableFuture.runAsync(() -> read(isOver), OWN_THREADS);
    try {
      for (int i = 0; i < WRITERS; i++) {
        for (Map.Entry<Long, Long> entry : writers.get(i).join().entrySet()) {
          assertThat(tree.get(key(entry.getKey(), 1 + i))).isEqualTo(Encoded.of(entry.getValue()));
        }
      }
    } finally {
      isOver.set(true);
    }
    reader.join();
    long there = KEYS + writers.stream().mapToLong(w -> w.join().size()).sum();
    assertThat(tree.validate()).isEqualTo(tree.size()).isEqualTo(there);
  }

  /// @return what it has left there
  private Map<Long, Long> write(int writer) {
    Map<Long, Long> left = new TreeMap<>();
    Random random = new Random(writer);
    for (int i = 0; i < WRITES; ) {
      long base = random.nextInt(KEYS);
      int run = 1 + random.nextInt(60);
      boolean puts = i * 8L / WRITES % 2 == 0;
      for (int j = 0; j < run; j++, i++) {
        long number = base + j;
        Encoded key = key(number, 1 + writer);
        if (puts) {
          left.put(number, (long) i);
          tree.put(key, Encoded.of(i));
        } else {
          Long before = left.remove(number);
          Encoded removed = tree.remove(key);
          assertThat(removed).isEqualTo(before == null ? null : Encoded.of(before));
        }
      }
    }
    return left;
  }

  private void read(AtomicBoolean isOver) {
    Random random = new Random(7);
    while (!isOver.get()) {
      int number = random.nextInt(KEYS);
      if (!Encoded.of(number).equals(tree.get(key(number)))) {
        throw new CompletionException(new AssertionError("lost: " + number));
      }
      assertThat(tree.nearest(key(number), true, true).key()).isEqualTo(key(number));
    }
  }
}
