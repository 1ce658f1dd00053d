package io.holdfast.collections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.holdfast.Holdfast;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Functions that compute values of a sorted map: called once, and not let back in.
class PersistentTreeMapFunctionsTest {
  private static final Executor OWN_THREADS = task -> Thread.ofPlatform().daemon().start(task);

  @TempDir Path directory;
  private Path file;
  private Holdfast store;
  private PersistentTreeMap<String, Integer> map;

  @BeforeEach
  void open() {
    file = directory.resolve("shop.hf");
    store = Holdfast.open(file);
    map = store.treeMap("counts", String.class, Integer.class);
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void doWhatTheJdkPromises() {
    assertThat(map.computeIfPresent("a", (key, value) -> 7)).isNull();
    assertThat(map.computeIfAbsent("a", key -> null)).isNull();
    assertThat(map.compute("a", (key, value) -> value)).isNull();
    assertThat(map).isEmpty();
    assertThat(map.computeIfAbsent("a", String::length)).isEqualTo(1);
    assertThat(map.computeIfAbsent("a", key -> 9)).isEqualTo(1);
    assertThat(map.compute("a", (key, value) -> value + 1)).isEqualTo(2);
    assertThat(map.computeIfPresent("a", (key, value) -> value + 1)).isEqualTo(3);
    assertThat(map.merge("a", 4, Integer::sum)).isEqualTo(7);
    assertThat(map.merge("b", 4, Integer::sum)).isEqualTo(4);
    assertThat(map.merge("b", 4, (one, other) -> null)).isNull();
    map.replaceAll((key, value) -> value * 2);
    assertThat(map).isEqualTo(Map.of("a", 14));
    assertThatExceptionOfType(NullPointerException.class)
        .isThrownBy(() -> map.replaceAll((key, value) -> null));
    assertThat(map.compute("a", (key, value) -> null)).isNull();
    assertThat(map).isEmpty();
  }

  @Test
  void whatTheyThrowChangesNothing() {
    map.put("a", 1);
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(() -> map.merge("a", 0, (one, other) -> one / other));
    assertThat(map).isEqualTo(Map.of("a", 1));
    assertThat(map.merge("a", 1, Integer::sum)).isEqualTo(2);
  }

  @Test
  void outsideOfAViewThereIsNoValue() {
    map.put("a", 1);
    NavigableMap<String, Integer> view = map.tailMap("b");
    assertThat(view.computeIfPresent("a", (key, value) -> 7)).isNull();
    assertThat(view.computeIfAbsent("a", key -> null)).isNull();
    assertThat(view.compute("a", (key, value) -> value)).isNull();
    assertThatIllegalArgumentException().isThrownBy(() -> view.computeIfAbsent("a", key -> 7));
    assertThatIllegalArgumentException().isThrownBy(() -> view.compute("a", (key, value) -> 7));
    assertThatIllegalArgumentException().isThrownBy(() -> view.merge("a", 1, Integer::sum));
    assertThat(view.descendingMap().merge("c", 1, Integer::sum)).isEqualTo(1);
    assertThat(map).isEqualTo(Map.of("a", 1, "c", 1));
  }

  @Test
  void areCalledOnce() {
    AtomicInteger calls = new AtomicInteger();
    List<CompletableFuture<Void>> threads =
        IntStream.range(0, 4)
            .mapToObj(
                thread ->
                    CompletableFuture.runAsync(
                        () -> {
                          for (int i = 0; i < 5_000; i++) {
                            map.merge(
                                "key " + i % 3,
                                1,
                                (one, other) -> {
                                  calls.incrementAndGet();
                                  return one + other;
                                });
                          }
                        },
                        OWN_THREADS))
            .toList();
    threads.forEach(CompletableFuture::join);
    assertThat(calls).hasValue(20_000 - 3);
    assertThat(map.values().stream().mapToInt(i -> i).sum()).isEqualTo(20_000);
  }

  @Test
  void update1AFunctionThatComesBack() {
    map.put("a", 1);
    List<Consumer<String>> calls =
        List.of(
            key -> map.put(key, 7),
            key -> map.putIfAbsent(key, 7),
            key -> map.compute(key, (k, value) -> 7),
            key -> map.computeIfAbsent(key, k -> 7),
            key -> map.remove("a"),
            key -> map.putAll(Map.of(key, 7, "y", 8)),
            key -> map.clear(),
            key -> map.tailMap(key).pollFirstEntry(),
            key -> map.entrySet().iterator(),
            key -> map.indexOf(key),
            key -> map.load(Map.of("z", 7).entrySet().iterator()),
            key -> map.keySet().remove("a"));
    for (Consumer<String> call : calls) {
      for (String key : List.of("b", "another")) {
        assertThatIllegalStateException()
            .isThrownBy(
                () ->
                    map.computeIfAbsent(
                        "b",
                        k -> {
                          call.accept(key);
                          return 7;
                        }))
            .withMessage(
                file.toAbsolutePath()
                    + ": the sorted map \"counts\": Recursive update: a function that computes one"
                    + " of its values may look up single keys, and do nothing else with it. Nothing"
                    + " has changed");
      }
    }
    assertThat(map).isEqualTo(Map.of("a", 1));
    assertThat(map.compute("b", (key, value) -> map.get("a") + 1)).isEqualTo(2);
    assertThat(map.put("c", 3)).isNull();
  }
}
