package io.holdfast.collections.tree;

import static io.holdfast.collections.RawCodec.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.codec.Encoded;
import io.holdfast.codec.EncodedEntry;
import io.holdfast.core.memory.FlushMode;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.RecordingMemory;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A tree against a `TreeMap`, by random operations, some in sections, with openings in between.
class TreeModelTest {
  private static final int OPERATIONS = 30_000;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void doesWhatATreeMapDoes(long seed) {
    Random random = new Random(seed);
    boolean ordered = seed % 2 == 0;
    int keys = seed > 2 ? 3000 : 300;
    RecordingMemory bytes = new RecordingMemory();
    try (TreeRegion store =
        TreeRegion.open(ordered ? FlushMode.POSTED.over(bytes) : bytes).create()) {
      TreeMap<String, String> model = new TreeMap<>();
      for (int i = 0; i < OPERATIONS; i++) {
        boolean inSection = random.nextInt(20) == 0;
        if (inSection) {
          SectionHooks.enter();
        }
        for (int j = inSection ? random.nextInt(6) : 0; j >= 0; j--) {
          operate(store, model, random, i / (OPERATIONS / 4), keys);
        }
        if (inSection) {
          SectionHooks.exit();
        }
        if (random.nextInt(3000) == 0) {
          assertThat(store.tree().validate())
              .as("seed=%d, step=%d", seed, i)
              .isEqualTo(model.size());
          assertThat(store.all()).isEqualTo(model);
          store.checkBlocks();
          store.openAgain();
        }
      }
      assertThat(store.all()).as("seed=%d", seed).isEqualTo(model);
      assertThat(store.entries(false).reversed().stream().map(e -> TreeRegion.text(e.key())))
          .containsExactlyElementsOf(model.keySet());
      assertThat(store.tree().size()).isEqualTo(model.size());
      store.tree().clear();
      assertThat(store.all()).isEmpty();
      store.checkBlocks();
    }
  }

  /// @param phase of four, in which the tree grows, stays, shrinks and grows
  private static void operate(
      TreeRegion store, TreeMap<String, String> model, Random random, int phase, int keys) {
    int number = random.nextInt(keys);
    String key = key(number);
    int what = random.nextInt(100);
    int puts = phase == 2 ? 15 : 40;
    if (what < puts) {
      int length = random.nextInt(20) == 0 ? random.nextInt(1200) : random.nextInt(30);
      String value = random.nextBoolean() ? "v%07d".formatted(number) : text("v", length);
      assertThat(store.put(key, value)).isEqualTo(model.put(key, value));
    } else if (what < 70) {
      assertThat(store.remove(key)).isEqualTo(model.remove(key));
    } else if (what < 80) {
      assertThat(store.get(key)).isEqualTo(model.get(key));
    } else {
      check(store.tree(), model, key, random.nextBoolean());
    }
  }

  /// Of most lengths, and a third of them begin alike.
  private static String key(int number) {
    return switch (number % 7) {
      case 0 -> text("" + number, number % 190);
      case 1, 2 -> "a beginning that many have in common/" + number;
      default -> "k" + number;
    };
  }

  private static void check(
      EntryTree tree, TreeMap<String, String> model, String key, boolean inclusive) {
    Encoded from = TreeRegion.encoded(key);
    checkSame(
        tree.nearest(from, inclusive, true),
        inclusive ? model.ceilingEntry(key) : model.higherEntry(key));
    checkSame(
        tree.nearest(from, inclusive, false),
        inclusive ? model.floorEntry(key) : model.lowerEntry(key));
    checkSame(tree.nearest(null, true, true), model.firstEntry());
    checkSame(tree.nearest(null, true, false), model.lastEntry());
  }

  private static void checkSame(EncodedEntry found, Map.Entry<String, String> expected) {
    assertThat(found == null).isEqualTo(expected == null);
    if (found != null) {
      assertThat(TreeRegion.text(found.key())).isEqualTo(expected.getKey());
      assertThat(TreeRegion.text(found.value())).isEqualTo(expected.getValue());
    }
  }
}
