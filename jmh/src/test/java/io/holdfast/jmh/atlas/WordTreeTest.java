package io.holdfast.jmh.atlas;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Shows BTREE-1.
class WordTreeTest {
  /// Grows to three levels and shrinks to none, several times.
  @Test
  void doesWhatATreeMapDoes(@TempDir Path directory) {
    try (ProgramMemory memory = new PlainMemory(directory.resolve("tree"))) {
      WordTree tree = new WordTree(memory, memory.root(Long.BYTES));
      NavigableMap<Long, Long> model = new TreeMap<>();
      Random random = new Random(1);
      for (int round = 0; round < 4; round++) {
        for (int i = 0; i < 3_000; i++) {
          change(tree, model, 1 + random.nextInt(4_000), random.nextInt(10) > 0);
        }
        assertThat(tree.entries()).isEqualTo(model);
        while (!model.isEmpty()) {
          // In order, from the end or at random: each empties other nodes first.
          long key =
              switch (round) {
                case 0 -> model.firstKey();
                case 1 -> model.lastKey();
                default -> model.ceilingKey(1L + random.nextInt(model.lastKey().intValue()));
              };
          change(tree, model, key, false);
          if (model.size() % 100 == 0) {
            assertThat(tree.entries()).isEqualTo(model);
          }
        }
        assertThat(tree.nodes()).isZero();
      }
    }
  }

  private static void change(
      WordTree tree, NavigableMap<Long, Long> model, long key, boolean isAdded) {
    if (isAdded) {
      assertThat(tree.add(key, -key)).isEqualTo(model.putIfAbsent(key, -key) == null);
    } else if (model.remove(key) != null) {
      tree.remove(key);
    }
    assertThat(tree.find(key)).isEqualTo(model.getOrDefault(key, 0L));
    Long next = model.ceilingKey(key);
    assertThat(tree.from(key)).isEqualTo(next == null ? 0 : next);
  }
}
