package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.tuple;

import io.holdfast.codec.Codec;
import io.holdfast.collections.PersistentHashMap;
import io.holdfast.core.RecoveryReport.Outcome;
import io.holdfast.core.RootDeletedException;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.region.Region;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Maps of a store by name: opened, renamed, deleted.
@Timeout(60)
class HashMapRootsTest {
  record Product(String name) {}

  record ProductWithSize(String name, int size) {}

  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void nameFile() {
    file = directory.resolve("shop.hf");
  }

  private static PersistentHashMap<String, Long> map(Holdfast store) {
    return store.hashMap("m", String.class, Long.class);
  }

  @Test
  void sameNameIsTheSameMap() {
    try (Holdfast store = Holdfast.open(file)) {
      PersistentHashMap<String, Long> map = map(store);
      assertThat(map(store)).isSameAs(map);
      assertThat(store.hashMap("m", Codec.of(String.class), Codec.of(Long.class))).isSameAs(map);
      map.put("a", 1L);
      store.rename("m", "n");
      map.put("b", 2L);
      assertThat(store.hashMap("n", String.class, Long.class)).isSameAs(map);
      assertThat(map(store)).isEmpty();
      assertThat(store.roots())
          .extracting(NamedRoot::name, NamedRoot::kind, NamedRoot::codec)
          .containsExactly(
              tuple("n", "hashMap", "Map<String,Long>"), tuple("m", "hashMap", "Map<String,Long>"));
    }
    try (Holdfast store = Holdfast.open(file)) {
      assertThat(store.hashMap("n", String.class, Long.class)).isEqualTo(Map.of("a", 1L, "b", 2L));
    }
  }

  @Test
  void otherTypesAreRefusedWithBothNamed() {
    try (Holdfast store = Holdfast.open(file)) {
      map(store).put("a", 1L);
      store.queue("q", String.class);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.hashMap("m", String.class, Integer.class))
          .withMessageContaining(file + ": the hashMap \"m\" cannot be opened with these types:")
          .withMessageContaining("stored=Long, asked=Integer");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.queue("m", String.class))
          .withMessage(
              file
                  + ": \"m\" is a hashMap of Map<String,Long>, and was asked for as a queue of"
                  + " String. Open it as what it is, or use another name");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.hashMap("q", String.class, String.class))
          .withMessageContaining(
              "is a queue of String, and was asked for as a hashMap of Map<String,String>");
      assertThatNullPointerException()
          .isThrownBy(() -> store.hashMap(null, String.class, Long.class));
      assertThatNullPointerException()
          .isThrownBy(() -> store.hashMap("x", Codec.of(String.class), null));
      assertThat(store.roots()).hasSize(2);
    }
    try (Holdfast store = Holdfast.open(file)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.hashMap("m", Long.class, Long.class))
          .withMessageContaining("stored=String, asked=Long");
      assertThat(map(store)).isEqualTo(Map.of("a", 1L));
    }
  }

  @Test
  void recordsMayGrow() {
    try (Holdfast store = Holdfast.open(file)) {
      store.hashMap("p", Product.class, Product.class).put(new Product("a"), new Product("b"));
    }
    try (Holdfast store = Holdfast.open(file)) {
      PersistentHashMap<ProductWithSize, ProductWithSize> map =
          store.hashMap("p", ProductWithSize.class, ProductWithSize.class);
      assertThat(map.get(new ProductWithSize("a", 0))).isEqualTo(new ProductWithSize("b", 0));
      map.put(new ProductWithSize("a", 1), new ProductWithSize("c", 2));
      assertThat(map).hasSize(2);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.hashMap("p", Product.class, ProductWithSize.class))
          .withMessageContaining("has lost size:int");
    }
  }

  @Test
  void deletedIsGoneAndItsHandlesSaySo() {
    try (Holdfast store = Holdfast.open(file)) {
      PersistentHashMap<String, Long> map = map(store);
      map.putAll(Map.of("a", 1L, "b", 2L));
      Iterator<String> iterator = map.keySet().iterator();
      assertThat(store.delete("m")).isTrue();
      assertThat(store.delete("m")).isFalse();
      Map<String, Consumer<PersistentHashMap<String, Long>>> calls = new TreeMap<>();
      calls.put("get", m -> m.get("a"));
      calls.put("put", m -> m.put("a", 1L));
      calls.put("remove", m -> m.remove("a"));
      calls.put("merge", m -> m.merge("a", 1L, Long::sum));
      calls.put("putAll", m -> m.putAll(Map.of("a", 1L, "c", 1L)));
      calls.put("large putAll", m -> m.putAll(numbers(500)));
      calls.put("clear", PersistentHashMap::clear);
      calls.put("size", PersistentHashMap::size);
      calls.put("iterator", m -> m.keySet().iterator());
      calls.put("removal by iterator", m -> iterator.remove());
      calls.put("containsValue", m -> m.containsValue(7L));
      calls.put("validate", PersistentHashMap::validate);
      iterator.next();
      calls.forEach(
          (name, call) ->
              assertThatExceptionOfType(RootDeletedException.class)
                  .as(name)
                  .isThrownBy(() -> call.accept(map))
                  .withMessage(
                      file.toAbsolutePath()
                          + ": the map was deleted, or the section that created it was rolled"
                          + " back. Open or create it anew by its name"));
      assertThat(store.hashMap("m", Long.class, Long.class)).isEmpty();
    }
  }

  private static Map<String, Long> numbers(int count) {
    Map<String, Long> numbers = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      numbers.put("number " + i, (long) i);
    }
    return numbers;
  }

  /// The same space serves map after map: what one has needed, the next one finds.
  @Test
  void theSpaceComesBack() throws Exception {
    long after = 0;
    try (Holdfast store = Holdfast.open(file)) {
      StoreMXBean bean = StoreBeans.of(file);
      for (int round = 0; round < 8; round++) {
        PersistentHashMap<Integer, String> map =
            store.hashMap("m" + round, Integer.class, String.class);
        for (int i = 0; i < 2_000; i++) {
          map.put(i, "v".repeat(i % 7 == 0 ? 3_000 : i % 50));
        }
        if (round % 2 == 0) {
          map.clear();
        }
        store.delete("m" + round);
        after = round == 1 ? bean.getLengthBytes() : after;
      }
      assertThat(bean.getLengthBytes()).isEqualTo(after);
    }
    assertThatNothingIsLeft();
  }

  private void assertThatNothingIsLeft() {
    try (RegionFile opened = RegionFile.open(file);
        Region region = Region.open(opened.memory(), RegionFile.INITIAL_BYTES)) {
      assertThat(region.report().outcome()).isEqualTo(Outcome.CLEAN);
      assertThat(region.roots().hasDeleted()).isFalse();
      assertThat(region.heap().validator().blocks()).isEmpty();
    }
  }

  @Test
  void root4WhatWasLeftIsFreedInTheBackground() {
    try (Holdfast store = Holdfast.open(file)) {
      store.hashMap("m", String.class, Long.class).putAll(numbers(20_000));
      store.queue("stays", String.class);
    }
    try (RegionFile opened = RegionFile.open(file);
        Region region = Region.open(opened.memory(), RegionFile.INITIAL_BYTES)) {
      region.roots().delete("m");
      assertThat(region.heap().validator().blocks()).hasSizeGreaterThan(200);
    }
    try (Holdfast store = Holdfast.open(file)) {
      assertThat(store.delete("stays")).isTrue(); // and waits for the rest
    }
    assertThatNothingIsLeft();
  }

  @Test
  void deletedAndMadeInASectionThatIsCutOff() throws IOException {
    Path copy = directory.resolve("copy.hf");
    try (Holdfast store = Holdfast.open(file)) {
      map(store).putAll(numbers(1_000));
      byte[][] killed = new byte[1][];
      store.atomically(
          () -> {
            store.delete("m");
            store.hashMap("m", Long.class, Long.class).put(1L, 2L);
            killed[0] = bytes();
          });
      Files.write(copy, killed[0]);
      assertThat(store.hashMap("m", Long.class, Long.class)).isEqualTo(Map.of(1L, 2L));
    }
    try (Holdfast store = Holdfast.open(copy)) {
      assertThat(store.recovery().sectionsUndone()).isEqualTo(1);
      assertThat(map(store)).isEqualTo(numbers(1_000));
      assertThat(map(store).validate()).isEqualTo(1_000);
    }
  }

  /// Whoever has a map whose creation was taken back is told, also of keys where no thread has
  /// been.
  @Test
  void madeInASectionThatIsTakenBack() {
    try (Holdfast store = Holdfast.open(file)) {
      List<PersistentHashMap<String, Long>> made = new ArrayList<>();
      assertThatExceptionOfType(UncheckedIOException.class)
          .isThrownBy(
              () ->
                  store.allOrNothing(
                      () -> {
                        made.add(map(store));
                        throw new UncheckedIOException(new IOException("of the program"));
                      }));
      PersistentHashMap<String, Long> map = made.getFirst();
      for (int round = 0; round < 2; round++) {
        assertThatItIsGone(map::size);
        assertThatItIsGone(() -> map.forEach((key, value) -> {}));
        assertThatItIsGone(map::clear);
        for (String key : numbers(200).keySet()) {
          assertThatItIsGone(() -> map.get(key));
          assertThatItIsGone(() -> map.put(key, 1L));
        }
      }
      assertThat(map(store)).isEmpty();
    }
  }

  private static void assertThatItIsGone(ThrowingCallable call) {
    assertThatExceptionOfType(RootDeletedException.class).isThrownBy(call);
  }

  /// Each of the maps has fewer entries than stripes, and all together have 160,000 of these.
  @Test
  void thousandsOfSmallMapsInASmallHeap() throws Exception {
    try (ChildJvm child = ChildJvm.start(ThousandsOfMaps.class, file.toString())) {
      assertThat(child.readLine()).isEqualTo("5000 in 2500");
      assertThat(child.awaitEnd()).isZero();
    }
  }

  private static final class ThousandsOfMaps {
    public static void main(String[] arguments) {
      try (Holdfast store = Holdfast.open(Path.of(arguments[0]))) {
        List<PersistentHashMap<String, Long>> maps = new ArrayList<>();
        long entries = 0;
        for (int i = 0; i < 2_500; i++) {
          maps.add(store.hashMap("map " + i, String.class, Long.class));
          maps.getLast().put("key", 1L);
          maps.getLast().put("another", 2L);
          entries += maps.getLast().entrySet().stream().count();
        }
        System.out.println(entries + " in " + maps.size());
      }
    }
  }

  private byte[] bytes() {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Threads that put, look, walk and clear while their map goes away: each is told, none is
  /// harmed.
  ///
  /// Shows MAP-8.
  @Test
  void deletedUnderThreadsThatAreBusy() throws Exception {
    try (Holdfast store = Holdfast.open(file)) {
      for (int round = 0; round < 15; round++) {
        PersistentHashMap<String, Long> map = map(store);
        Map<String, Long> batch = numbers(20);
        List<CompletableFuture<Void>> threads = new ArrayList<>();
        threads.add(untilItIsGone(() -> map.merge("counter", 1L, Long::sum)));
        threads.add(untilItIsGone(() -> map.get("number 7")));
        threads.add(untilItIsGone(map::size));
        threads.add(untilItIsGone(() -> map.forEach((key, value) -> map.remove(key, value))));
        threads.add(untilItIsGone(() -> map.putAll(batch)));
        threads.add(untilItIsGone(map::clear));
        threads.add(untilItIsGone(() -> store.atomically(() -> map.put("in a section", 1L))));
        while (!map.containsKey("counter")) {
          Thread.onSpinWait();
        }
        assertThat(store.delete("m")).isTrue();
        for (CompletableFuture<Void> each : threads) {
          each.get(30, TimeUnit.SECONDS);
        }
      }
      store.sync();
    }
    assertThatNothingIsLeft();
  }

  private static CompletableFuture<Void> untilItIsGone(Runnable action) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            while (true) {
              action.run();
            }
          } catch (RootDeletedException e) {
            // As it should.
          }
        },
        task -> Thread.ofPlatform().start(task));
  }
}
