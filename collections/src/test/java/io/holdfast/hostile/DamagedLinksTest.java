package io.holdfast.hostile;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.collections.map.slot.MapLayout;
import io.holdfast.collections.tree.node.TreeLayout;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.region.Region;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// P8 for what frees a collection as a whole: a link that leads nowhere is refused before anything
/// is read or stored there.
class DamagedLinksTest {
  private static final String NAME = "c";

  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void nameFile() {
    file = directory.resolve("shop.hf");
  }

  /// Stores a word at a place of a block of the collection's, which is found from its root.
  private void damage(FoundBlock block, long at, long word) {
    try (RegionFile opened = RegionFile.open(file);
        Region region = Region.open(opened.memory(), RegionFile.INITIAL_BYTES)) {
      Memory memory = region.memory();
      memory.writePlain(block.from(memory, region.roots().find(NAME).firstBlock()) + at, word);
    }
  }

  private interface FoundBlock {
    long from(Memory memory, long root);
  }

  private static long topOf(Memory memory, long root) {
    return memory.readPlain(root + TreeLayout.ROOT_TOP) & ~TreeLayout.HEIGHT_MASK;
  }

  private void assertRefused(Consumer<Holdfast> action) {
    try (Holdfast store = Holdfast.open(file)) {
      assertThatThrownBy(() -> action.accept(store))
          .isExactlyInstanceOf(RegionDamagedException.class)
          .hasMessageContaining(file.toString())
          .hasMessageContaining("offset=0x");
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {31, 0x28, 0xff060040L, -72057594036601760L})
  void aDeletedMapsStripe(long link) {
    try (Holdfast store = Holdfast.open(file)) {
      store.hashMap(NAME, String.class, String.class).put("a", "b");
    }
    damage((_, root) -> root, MapLayout.ROOT_STRIPES, link);
    assertRefused(store -> store.delete(NAME));
  }

  private void makeTree() {
    try (Holdfast store = Holdfast.open(file)) {
      Map<Long, Long> tree = store.treeMap(NAME, Long.class, Long.class);
      for (long i = 0; i < 1_000; i++) {
        tree.put(i, i);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0x1000, 0xff060040L, -72057594036601792L})
  void aClearedTreesLeaf(long link) {
    makeTree();
    damage(DamagedLinksTest::topOf, TreeLayout.INNER_CHILDREN, link);
    assertRefused(store -> store.treeMap(NAME, Long.class, Long.class).clear());
  }

  /// As many that their bytes are a small number, to who computes them without care.
  @ParameterizedTest
  @ValueSource(longs = {1L << 59 | 0xfffff, 1L << 60 | 0x7fffffff})
  void theChildrenOfATreesNode(long count) {
    makeTree();
    damage(DamagedLinksTest::topOf, TreeLayout.INNER_COUNT, count);
    assertRefused(store -> store.treeMap(NAME, Long.class, Long.class).clear());
    assertRefused(store -> store.treeMap(NAME, Long.class, Long.class).lastKey());
  }

  @Test
  void aDeletedTreesLeaf() {
    makeTree();
    damage(DamagedLinksTest::topOf, TreeLayout.INNER_CHILDREN, 0xff060040L);
    assertRefused(store -> store.delete(NAME));
  }
}
