package io.holdfast.collections.tree;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.codec.Encoded;
import io.holdfast.codec.EncodedEntry;
import io.holdfast.collections.tree.node.KeyOrder;
import io.holdfast.collections.tree.node.TreeLayout;
import io.holdfast.core.heap.HeapValidator.Block;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.region.Region;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// How full leaves are: entries of a word each, in hundredths of the most that leaves of that
/// number could have, which is 62 each.
class TreeSpaceTest {
  private static final int ENTRIES = 30_000;
  private static final int OF_A_LEAF = TreeLayout.RECORD_LINES * 2;

  @TempDir Path directory;
  private Supplier<List<Block>> blocks;
  private LongSupplier length;

  private static Encoded word(long value) {
    return Encoded.of(value);
  }

  private void with(Consumer<EntryTree> action) {
    with(KeyOrder.WORDS, action);
  }

  private void with(KeyOrder order, Consumer<EntryTree> action) {
    try (RegionFile file = RegionFile.open(directory.resolve("tree.hf"));
        Region region = Region.open(file.memory(), RegionFile.INITIAL_BYTES)) {
      long[] root = new long[1];
      region.roots().create("tree", "test", "", () -> root[0] = EntryTree.create(region));
      EntryTree tree = new EntryTree(region, root[0], order);
      blocks = region.heap().validator()::blocks;
      length = region.memory()::length;
      action.accept(tree);
      assertThat(tree.validate()).isEqualTo(tree.size());
    }
  }

  private double fill(EntryTree tree) {
    return 100.0 * tree.size() / (leaves() * OF_A_LEAF);
  }

  private long leaves() {
    return blocks.get().stream().filter(b -> b.bytes() == TreeLayout.LEAF_BYTES).count();
  }

  @Test
  void sequentially() {
    with(
        tree -> {
          LongStream.range(0, ENTRIES).forEach(i -> tree.put(word(i), word(i)));
          assertThat(fill(tree)).isGreaterThanOrEqualTo(90);
        });
  }

  @Test
  void inReverse() {
    with(
        tree -> {
          LongStream.range(0, ENTRIES).forEach(i -> tree.put(word(-i), word(i)));
          assertThat(fill(tree)).isGreaterThanOrEqualTo(90);
        });
  }

  @Test
  void atRandom() {
    with(
        tree -> {
          Random random = new Random(1);
          for (int i = 0; i < ENTRIES; i++) {
            tree.put(word(random.nextLong()), word(i));
          }
          assertThat(fill(tree)).isGreaterThanOrEqualTo(65);
        });
  }

  @Test
  void loaded() {
    with(
        tree -> {
          assertThat(
                  tree.load(
                      LongStream.range(0, ENTRIES)
                          .mapToObj(i -> new EncodedEntry(word(i), word(i)))
                          .iterator()))
              .isEqualTo(ENTRIES);
          assertThat(fill(tree)).isGreaterThanOrEqualTo(99);
        });
  }

  /// Entries come and go, as many as there were: after the first rounds the region takes no more.
  @Test
  void aChurnedTreeDoesNotGrow() {
    with(
        tree -> {
          Random random = new Random(2);
          long settled = 0;
          for (int round = 0; round < 12; round++) {
            for (int i = 0; i < ENTRIES; i++) {
              long key = random.nextInt(ENTRIES);
              if (random.nextBoolean()) {
                tree.put(word(key), word(i));
              } else {
                tree.remove(word(key));
              }
            }
            if (round == 3) {
              settled = length.getAsLong();
            }
          }
          assertThat(length.getAsLong()).isEqualTo(settled);
        });
  }

  /// A prefix of 92 bytes costs a tenth more leaves at most: it is in each leaf once.
  @ParameterizedTest
  @EnumSource
  void aPrefixIsKeptOnce(Filling filling) throws IOException {
    long[] leaves = new long[2];
    for (int i = 0; i < 2; i++) {
      String before = "p".repeat(92 * i);
      int at = i;
      with(
          KeyOrder.BYTES,
          tree -> {
            filling.fill(tree, before);
            leaves[at] = leaves();
          });
      Files.delete(directory.resolve("tree.hf"));
    }
    assertThat(leaves[1]).as("leaves").isLessThan(leaves[0] * 11 / 10);
  }

  /// In which order keys come.
  private enum Filling {
    AT_RANDOM {
      @Override
      void fill(EntryTree tree, String before) {
        numbers().forEach(i -> tree.put(key(before, i * 0x9E3779B97F4A7C15L), word(i)));
      }
    },
    IN_ORDER {
      @Override
      void fill(EntryTree tree, String before) {
        numbers().forEach(i -> tree.put(key(before, i), word(i)));
      }
    },
    IN_REVERSE {
      @Override
      void fill(EntryTree tree, String before) {
        numbers().forEach(i -> tree.put(key(before, ENTRIES - i), word(i)));
      }
    },
    LOADED {
      @Override
      void fill(EntryTree tree, String before) {
        tree.load(numbers().mapToObj(i -> new EncodedEntry(key(before, i), word(i))).iterator());
      }
    };

    abstract void fill(EntryTree tree, String before);

    private static LongStream numbers() {
      return LongStream.range(0, ENTRIES);
    }

    private static Encoded key(String before, long number) {
      return Encoded.of((before + "%016x".formatted(number)).getBytes(ISO_8859_1));
    }
  }
}
