package io.holdfast.collections;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ConcurrentMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What comes out of a map is never an object that went in, nor one that a function has made.
class ComputedValuesTest {
  @TempDir Path directory;
  private Holdfast store;

  @BeforeEach
  void open() {
    store = Holdfast.open(directory.resolve("computed.hf"));
  }

  @AfterEach
  void close() {
    store.close();
  }

  private List<ConcurrentMap<String, int[]>> maps() {
    return List.of(
        store.hashMap("hash", String.class, int[].class),
        store.treeMap("tree", String.class, int[].class),
        store.treeMap("tree", String.class, int[].class).tailMap("a"));
  }

  @Test
  void changingWhatCameOutChangesNothing() {
    for (ConcurrentMap<String, int[]> map : maps()) {
      int[] put = {1};
      map.clear();
      assertThat(map.computeIfAbsent("k", key -> put)).containsExactly(1).isNotSameAs(put);
      assertThat(map.computeIfAbsent("k", key -> null)).containsExactly(1).isNotSameAs(put);
      assertThat(map.compute("k", (key, value) -> put)).containsExactly(1).isNotSameAs(put);
      assertThat(map.computeIfPresent("k", (key, value) -> put)).isNotSameAs(put);
      assertThat(map.merge("k", put, (one, other) -> other)).isNotSameAs(put);
      assertThat(map.merge("other", put, (one, other) -> other)).isNotSameAs(put);
      assertThat(map.putIfAbsent("k", put)).containsExactly(1).isNotSameAs(put);
      assertThat(map.putIfAbsent("third", put)).isNull();
      map.compute("k", (key, value) -> value)[0] = 7;
      assertThat(map.get("k")).containsExactly(1);
      assertThat(map.compute("k", (key, value) -> null)).isNull();
    }
  }
}
