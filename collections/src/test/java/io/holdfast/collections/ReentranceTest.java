package io.holdfast.collections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.holdfast.Holdfast;
import io.holdfast.codec.Codec;
import io.holdfast.codec.EncodedInput;
import io.holdfast.codec.EncodedOutput;
import java.nio.file.Path;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The caller's code inside of an operation: equals, comparators, codecs and functions that call
/// the same collection (UPDATE-1).
@Timeout(60)
class ReentranceTest {
  @TempDir Path directory;
  private Path file;
  private Holdfast store;

  /// What the caller's code does, while it is not `null`: once.
  private Runnable inside;

  private final List<RuntimeException> refusals = new ArrayList<>();

  @BeforeEach
  void open() {
    file = directory.resolve("shop.hf").toAbsolutePath();
    store = Holdfast.open(file);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void callBack() {
    Runnable once = inside;
    inside = null;
    if (once != null) {
      try {
        once.run();
      } catch (IllegalStateException e) {
        refusals.add(e);
        throw e;
      }
    }
  }

  /// A value whose `equals` uses the map.
  private final class Meddler {
    @Override
    public boolean equals(Object other) {
      callBack();
      return "1".equals(other);
    }

    @Override
    public int hashCode() {
      return 1;
    }
  }

  /// Strings, by a codec that uses the collection.
  private final class MeddlingCodec implements Codec<String> {
    private final boolean whenEncoding;

    MeddlingCodec(boolean whenEncoding) {
      this.whenEncoding = whenEncoding;
    }

    @Override
    public String fingerprint() {
      return "meddling";
    }

    @Override
    public void encode(String value, EncodedOutput out) {
      int half = value.length() / 2;
      out.writeString(value.substring(0, half));
      if (whenEncoding) {
        callBack();
      }
      out.writeString(value.substring(half));
    }

    @Override
    public String decode(EncodedInput in) {
      String first = in.readString();
      if (!whenEncoding) {
        callBack();
      }
      return first + in.readString();
    }
  }

  private static void fill(Map<String, String> map, int count) {
    for (int i = 0; i < count; i++) {
      map.put("key " + i, "1");
    }
  }

  private void refill(Map<String, String> map) {
    for (int i = 0; i < 300; i++) {
      map.put("other " + i, "a value that moves the entries of leaves");
    }
    map.keySet().removeIf(key -> key.startsWith("key 1"));
  }

  @Test
  void aSortedMapAsksNobodysEquals() {
    PersistentTreeMap<String, String> map = store.treeMap("map", String.class, String.class);
    fill(map, 200);
    inside = () -> refill(map);
    assertThat(map.remove("key 7", new Meddler())).isFalse();
    assertThat(map.entrySet().remove(Map.entry("key 7", new Meddler()))).isFalse();
    assertThat(map.validate()).isEqualTo(200);
    assertThat(inside).isNotNull();
    assertThat(map.remove("key 7", "1")).isTrue();
  }

  /// Each use of a map in which a comparison is made.
  private List<Consumer<PersistentTreeMap<String, String>>> uses() {
    return List.of(
        map -> map.put("key 5", "2"),
        map -> map.put("key 5a", "2"),
        map -> map.get("key 5"),
        map -> map.remove("key 5"),
        map -> map.merge("key 5", "2", String::concat),
        map -> map.replace("key 5", "1", "2"),
        map -> map.ceilingKey("key 5"),
        map -> map.indexOf("key 5"),
        PersistentTreeMap::lastEntry,
        map -> map.keySet().iterator().next());
  }

  @Test
  void update1AComparatorThatComesBack() {
    List<Consumer<PersistentTreeMap<String, String>>> calls =
        List.of(
            map -> map.put("x", "y"),
            map -> map.get("key 1"),
            map -> map.remove("key 1"),
            map -> map.clear(),
            this::refill,
            map -> map.firstKey());
    Comparator<String> comparator =
        (one, other) -> {
          if (!one.equals(other)) { // that a key is compared with itself is before the operation
            callBack();
          }
          return one.compareTo(other);
        };
    PersistentTreeMap<String, String> map =
        store.treeMap("map", Codec.of(String.class), Codec.of(String.class), "natural", comparator);
    fill(map, 100);
    for (Consumer<PersistentTreeMap<String, String>> use : uses()) {
      for (Consumer<PersistentTreeMap<String, String>> call : calls) {
        Map<String, String> before = Map.copyOf(map);
        inside = () -> call.accept(map);
        refusals.clear();
        assertThatIllegalStateException()
            .isThrownBy(() -> use.accept(map))
            .withMessage(
                file
                    + ": the sorted map \"map\": Recursive update: the comparison of its keys, and"
                    + " the codec of these, must not use it. Nothing has changed");
        assertThat(refusals).hasSize(1);
        assertThat(Map.copyOf(map)).isEqualTo(before);
        assertThat(map.validate()).isEqualTo(100);
      }
    }
    uses().forEach(use -> use.accept(map));
  }

  @Test
  void update1AKeysCodecThatComesBack() {
    PersistentTreeMap<String, String> map =
        store.treeMap(
            "map",
            new MeddlingCodec(false),
            Codec.of(String.class),
            "natural",
            Comparator.naturalOrder());
    fill(map, 100);
    inside = () -> refill(map);
    assertThatIllegalStateException().isThrownBy(() -> map.ceilingKey("key 5a"));
    assertThat(map.validate()).isEqualTo(100);
  }

  @Test
  void update1WhatEncodesTheResultOfAFunction() {
    PersistentTreeMap<String, String> sorted =
        store.treeMap("sorted", Codec.of(String.class), new MeddlingCodec(true));
    PersistentHashMap<String, String> hashed =
        store.hashMap("hashed", Codec.of(String.class), new MeddlingCodec(true));
    for (Map<String, String> map : List.of(sorted, hashed)) {
      fill(map, 100);
      inside = () -> refill(map);
      assertThatIllegalStateException()
          .isThrownBy(() -> map.compute("key 5", (key, value) -> value + "2"))
          .withMessageContaining("Recursive update: a function that computes");
      inside = () -> refill(map);
      assertThatIllegalStateException()
          .isThrownBy(() -> map.merge("key 5", "2", String::concat))
          .withMessageContaining("Recursive update: a function that computes");
      assertThat(map).hasSize(100).containsEntry("key 5", "1");
    }
    assertThat(sorted.validate()).isEqualTo(100);
    assertThat(hashed.validate()).isEqualTo(100);
  }

  @Test
  void whatEncodesAnElementMayUseTheQueue() {
    PersistentQueue<String> queue = store.queue("queue", new MeddlingCodec(true));
    inside = () -> queue.add("inner, which is longer");
    queue.add("outer");
    assertThat(queue).containsExactly("inner, which is longer", "outer");
    assertThat(queue.validate()).isEqualTo(2);
  }

  /// Each use of a queue that needs a lock.
  private static List<Consumer<PersistentQueue<String>>> queueUses() {
    return List.of(
        queue -> queue.add("x"),
        queue -> queue.offer("x"),
        PersistentQueue::poll,
        PersistentQueue::peek,
        PersistentQueue::clear,
        PersistentQueue::iterator,
        PersistentQueue::validate,
        queue -> queue.remove("b"),
        queue -> queue.contains("b"),
        queue -> queue.drainTo(new ArrayList<>()));
  }

  @Test
  void update1WhatDecodesAnElement() {
    PersistentQueue<String> queue = store.queue("queue", new MeddlingCodec(false));
    List<Consumer<PersistentQueue<String>>> uses =
        List.of(
            PersistentQueue::poll,
            PersistentQueue::peek,
            q -> q.remove("c"),
            q -> q.drainTo(new ArrayList<>()),
            q -> q.iterator().next());
    for (Consumer<PersistentQueue<String>> use : uses) {
      for (Consumer<PersistentQueue<String>> call : queueUses()) {
        inside = null;
        queue.clear();
        queue.addAll(List.of("a", "b"));
        inside = () -> call.accept(queue);
        assertThatIllegalStateException()
            .isThrownBy(() -> use.accept(queue))
            .withMessage(
                file
                    + ": the queue \"queue\": Recursive update: the codec of its elements must not"
                    + " use it while it decodes one. Nothing has changed");
        assertThat(queue).containsExactly("a", "b");
        assertThat(queue.validate()).isEqualTo(2);
      }
    }
  }

  @Test
  void update1AnElementsEquals() {
    PersistentQueue<String> queue = store.queue("queue", String.class);
    for (Consumer<PersistentQueue<String>> call : queueUses()) {
      queue.clear();
      queue.addAll(List.of("a", "b"));
      inside = () -> call.accept(queue);
      assertThatIllegalStateException()
          .isThrownBy(() -> queue.remove(new Meddler()))
          .withMessage(
              file
                  + ": the queue \"queue\": Recursive update: the equals that remove asks must not"
                  + " use it. Nothing has changed");
      assertThat(queue).containsExactly("a", "b");
    }
  }

  @Test
  void update1TheTargetOfDrainTo() {
    PersistentQueue<String> queue = store.queue("queue", String.class);
    for (Consumer<PersistentQueue<String>> call : queueUses()) {
      queue.clear();
      queue.addAll(List.of("a", "b"));
      List<String> target =
          new AbstractList<>() {
            @Override
            public boolean add(String element) {
              callBack();
              return true;
            }

            @Override
            public String get(int index) {
              throw new IndexOutOfBoundsException(index);
            }

            @Override
            public int size() {
              return 0;
            }
          };
      inside = () -> call.accept(queue);
      assertThatIllegalStateException()
          .isThrownBy(() -> queue.drainTo(target))
          .withMessageContaining("Recursive update: the target of drainTo must not use it");
      assertThat(queue).containsExactly("a", "b");
    }
  }

  @Test
  void whatRunsWhileAnIteratorWaitsMayUseIt() {
    PersistentTreeMap<String, String> map = store.treeMap("map", String.class, String.class);
    PersistentQueue<String> queue = store.queue("queue", String.class);
    fill(map, 100);
    queue.addAll(IntStream.range(0, 100).mapToObj(i -> "" + i).toList());
    Iterator<String> keys = map.keySet().iterator();
    for (String element : queue) {
      queue.remove(element);
      map.remove(keys.next());
      map.put("other " + element, element);
    }
    store.onDurable(() -> map.put("durable", "" + queue.poll()));
    store.sync();
    store.close();
    store = Holdfast.open(file);
    assertThat(store.treeMap("map", String.class, String.class)).containsKey("durable");
  }

  @Test
  void aStoreOpensAndDeletesNothingFromWithinAFunction() {
    PersistentHashMap<String, String> map = store.hashMap("map", String.class, String.class);
    store.queue("queue", String.class);
    List<Runnable> calls =
        List.of(
            () -> store.queue("queue", String.class),
            () -> store.queue("another", String.class),
            () -> store.rename("queue", "another"),
            () -> store.delete("queue"));
    for (Runnable call : calls) {
      inside = call;
      assertThatIllegalStateException()
          .isThrownBy(
              () ->
                  map.compute(
                      "a",
                      (key, value) -> {
                        callBack();
                        return "1";
                      }))
          .withMessageContaining("must not open, rename or delete collections");
      assertThat(map).isEmpty();
    }
  }
}
