package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Room that transactions give back.
@Timeout(120)
class TransactionSpaceTest {
  private static final int KEYS = 500;

  /// Values shrink, grow and vanish, now alone (ALONE-1), now several at a time: each chunk that
  /// becomes empty is given back once (MAP-10).
  @Test
  void churnGivesEachChunkBackOnce(@TempDir Path dir) {
    try (Holdfast store = Holdfast.open(dir.resolve("churn.hf"))) {
      churn(store, store.hashMap("hashed", Integer.class, String.class));
      churn(store, store.treeMap("sorted", Integer.class, String.class));
    }
  }

  private static void churn(Holdfast store, Map<Integer, String> map) {
    Random random = new Random(1);
    Map<Integer, String> model = new HashMap<>();
    for (int i = 0; i < 100_000; i++) {
      int changes = random.nextInt(3) == 0 ? 1 + random.nextInt(4) : 1;
      store.transaction(
          () -> {
            for (int j = 0; j < changes; j++) {
              change(random, map, model);
            }
          });
    }
    assertThat(map).isEqualTo(model);
    store.transaction(map::clear);
    assertThat(map).isEmpty();
  }

  private static void change(Random random, Map<Integer, String> map, Map<Integer, String> model) {
    int key = random.nextInt(KEYS);
    if (random.nextInt(2) == 0) {
      map.remove(key);
      model.remove(key);
    } else {
      String value = "v".repeat(1 + random.nextInt(1 << random.nextInt(11)));
      map.put(key, value);
      model.put(key, value);
    }
  }
}
