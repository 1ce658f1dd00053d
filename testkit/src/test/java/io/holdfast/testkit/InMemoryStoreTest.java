package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.collections.PersistentHashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class InMemoryStoreTest {
  private final InMemoryStore memory = new InMemoryStore();

  private static PersistentHashMap<Integer, String> names(Holdfast store) {
    return store.hashMap("names", Integer.class, String.class);
  }

  @Test
  void whatWasClosedIsThereWhenItIsOpenedAgain() {
    try (Holdfast store = memory.open()) {
      names(store).put(1, "one");
      store.treeMap("sorted", String.class, Long.class).put("one", 1L);
      store.queue("orders", String.class).add("one");
    }
    try (Holdfast store = memory.open()) {
      assertThat(names(store)).isEqualTo(Map.of(1, "one"));
      assertThat(store.treeMap("sorted", String.class, Long.class)).isEqualTo(Map.of("one", 1L));
      assertThat(store.queue("orders", String.class)).containsExactly("one");
      assertThat(store.path()).hasToString("in memory");
    }
  }

  @Test
  void twoStoresHaveNothingInCommon() {
    try (Holdfast store = memory.open();
        Holdfast other = new InMemoryStore().open()) {
      names(store).put(1, "one");
      assertThat(names(other)).isEmpty();
    }
  }

  @Test
  void aStoreThatIsOpenIsNotOpenedAgain() {
    try (Holdfast store = memory.open()) {
      assertThatThrownBy(memory::open)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("in memory: the store is open. Close it first");
      names(store).put(1, "one");
      assertThat(names(store)).hasSize(1);
    }
  }

  /// Beyond its first length, by threads.
  @Test
  void itGrowsUnderThreads() {
    int count = 20_000;
    try (Holdfast store = memory.open()) {
      PersistentHashMap<Integer, String> names = names(store);
      IntStream.range(0, count).parallel().forEach(i -> names.put(i, "name " + i));
    }
    try (Holdfast store = memory.open()) {
      assertThat(names(store)).hasSize(count).containsEntry(count - 1, "name " + (count - 1));
    }
  }
}
