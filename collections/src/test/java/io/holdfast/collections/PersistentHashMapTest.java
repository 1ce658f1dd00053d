package io.holdfast.collections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import com.sun.management.ThreadMXBean;
import io.holdfast.Holdfast;
import io.holdfast.codec.Codec;
import io.holdfast.codec.CodecException;
import io.holdfast.codec.EncodedInput;
import io.holdfast.codec.EncodedOutput;
import io.holdfast.collections.map.EntryMap;
import io.holdfast.core.StoreClosedException;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What a map does beyond `ConcurrentMap`'s words, which Guava's suites look after.
@Timeout(60)
class PersistentHashMapTest {
  @TempDir private Path directory;
  private Path file;
  private Holdfast store;

  @BeforeEach
  void open() {
    file = directory.resolve("shop.hf");
    store = Holdfast.open(file);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void reopen() {
    store.close();
    store = Holdfast.open(file);
  }

  private PersistentHashMap<Long, Long> longs() {
    return store.hashMap("longs", Long.class, Long.class);
  }

  private PersistentHashMap<String, Integer> counts() {
    return store.hashMap("counts", String.class, Integer.class);
  }

  private static Map<Long, Long> squares(long count) {
    return LongStream.range(0, count).boxed().collect(Collectors.toMap(i -> i, i -> i * i));
  }

  @Test
  void isStillThereWhenItIsOpenedAgain() {
    counts().put("a", 1);
    counts().merge("a", 5, Integer::sum);
    counts().put("b", 2);
    counts().remove("b");
    longs().putAll(squares(3_000));
    reopen();
    assertThat(counts()).isEqualTo(Map.of("a", 6));
    assertThat(longs()).isEqualTo(squares(3_000)).hasToString(longs().toString());
    assertThat(longs().validate()).isEqualTo(3_000).isEqualTo(longs().mappingCount());
    assertThat(squares(3_000)).isEqualTo(longs());
    assertThat(longs().hashCode()).isEqualTo(squares(3_000).hashCode());
    assertThat(longs()).isNotEqualTo(counts());
  }

  /// The words by which a look-up says something else.
  @Test
  void hasAnyWord() {
    for (long word : new long[] {EntryMap.NONE, EntryMap.UNKNOWN, 0, -1}) {
      assertThat(longs().get(word)).isNull();
      longs().put(word, word);
      assertThat(longs().get(word)).isEqualTo(word);
      assertThat(longs().put(word, word)).isEqualTo(word);
      assertThat(longs().remove(word)).isEqualTo(word);
      assertThat(longs().get(word)).isNull();
    }
  }

  // Functions

  @Test
  void functionsThatReturnNull() {
    PersistentHashMap<String, Integer> map = counts();
    assertThat(map.compute("a", (key, value) -> null)).isNull();
    assertThat(map.computeIfAbsent("a", key -> null)).isNull();
    assertThat(map).isEmpty();
    map.put("a", 1);
    assertThat(map.computeIfAbsent("a", key -> 7)).isEqualTo(1);
    assertThat(map.computeIfPresent("b", (key, value) -> 7)).isNull();
    assertThat(map.computeIfPresent("a", (key, value) -> null)).isNull();
    assertThat(map).isEmpty();
    map.put("a", 1);
    assertThat(map.merge("a", 2, (one, other) -> null)).isNull();
    assertThat(map).isEmpty();
    assertThat(map.merge("a", 2, Integer::sum)).isEqualTo(2);
    assertThatNullPointerException().isThrownBy(() -> map.replaceAll((key, value) -> null));
    assertThat(map).isEqualTo(Map.of("a", 2));
  }

  @Test
  void functionsThatThrow() {
    PersistentHashMap<String, Integer> map = counts();
    map.put("a", 1);
    for (String key : List.of("a", "b")) {
      assertThatIllegalStateException()
          .isThrownBy(
              () ->
                  map.compute(
                      key,
                      (k, value) -> {
                        throw new IllegalStateException("thrown inside");
                      }))
          .withMessage("thrown inside");
    }
    assertThatExceptionOfType(StackOverflowError.class)
        .isThrownBy(
            () ->
                map.merge(
                    "a",
                    1,
                    (one, other) -> {
                      throw new StackOverflowError();
                    }));
    assertThat(map).isEqualTo(Map.of("a", 1));
    assertThat(map.merge("a", 1, Integer::sum)).isEqualTo(2);
    assertThat(map.validate()).isEqualTo(1);
  }

  @Test
  void update1AFunctionThatComesBack() {
    PersistentHashMap<String, Integer> map = counts();
    map.put("a", 1);
    List<Consumer<String>> calls =
        List.of(
            key -> map.put(key, 7),
            key -> map.putIfAbsent(key, 7),
            key -> map.compute(key, (k, value) -> 7),
            key -> map.remove("a"),
            key -> map.putAll(Map.of(key, 7, "y", 8)),
            key -> map.clear(),
            key -> map.entrySet().iterator(),
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
                    + ": the map \"counts\": Recursive update: a function that computes one of its"
                    + " values may look up single keys, and do nothing else with it. Nothing has"
                    + " changed");
      }
    }
    assertThat(map).isEqualTo(Map.of("a", 1));
    assertThat(map.compute("b", (key, value) -> map.get("a") + map.size())).isEqualTo(2);
    assertThat(map.put("c", 3)).isNull();
  }

  @Test
  void whatAFunctionChangesElsewhereIsOfTheSameSection() throws Exception {
    PersistentQueue<String> log = store.queue("log", String.class);
    PersistentHashMap<String, Integer> map = counts();
    PersistentHashMap<Long, Long> others = longs();
    Path copy = directory.resolve("copy.hf");
    map.compute(
        "a",
        (key, value) -> {
          log.add("a is made");
          others.put(1L, 1L);
          try {
            java.nio.file.Files.copy(file, copy);
          } catch (java.io.IOException e) {
            throw new AssertionError(e);
          }
          return 1;
        });
    assertThat(log).containsExactly("a is made");
    assertThat(longs()).hasSize(1);
    try (Holdfast killed = Holdfast.open(copy)) {
      assertThat(killed.recovery().sectionsUndone()).isEqualTo(1);
      assertThat(killed.queue("log", String.class)).isEmpty();
      assertThat(killed.hashMap("counts", String.class, Integer.class)).isEmpty();
    }
  }

  // Keys and values

  @Test
  void keysAreComparedByTheirBytes() {
    PersistentHashMap<Double, String> doubles = store.hashMap("d", Double.class, String.class);
    doubles.put(0.0, "zero");
    doubles.put(-0.0, "minus zero");
    doubles.put(Double.NaN, "NaN");
    doubles.put(Double.longBitsToDouble(0x7ff8_0000_0000_0007L), "the same NaN");
    assertThat(doubles)
        .isEqualTo(Map.of(0.0, "zero", -0.0, "minus zero", Double.NaN, "the same NaN"));
    PersistentHashMap<BigDecimal, Integer> decimals =
        store.hashMap("b", BigDecimal.class, Integer.class);
    decimals.put(new BigDecimal("1.0"), 1);
    decimals.put(new BigDecimal("1.00"), 2);
    assertThat(decimals).hasSize(2);
    PersistentHashMap<byte[], long[]> arrays = store.hashMap("a", byte[].class, long[].class);
    arrays.put(new byte[] {1, 2}, new long[] {3});
    assertThat(arrays.get(new byte[] {1, 2})).containsExactly(3);
    assertThat(arrays.replace(new byte[] {1, 2}, new long[] {3}, new long[] {4})).isTrue();
    assertThat(arrays.containsValue(new long[] {4})).isTrue();
    assertThat(arrays.remove(new byte[] {1, 2}, new long[] {3})).isFalse();
    assertThat(arrays.remove(new byte[] {1, 2}, new long[] {4})).isTrue();
  }

  private enum One {
    A,
    B
  }

  private enum Another {
    A,
    B
  }

  @Test
  void whatIsOfAnotherClassIsFoundNowhere() {
    PersistentHashMap<One, Long> map = store.hashMap("e", One.class, Long.class);
    map.put(One.A, 1L);
    for (Object other : List.of("A", 1L, Another.A, List.of())) {
      assertThat(map.get(other)).isNull();
      assertThat(map.containsKey(other)).isFalse();
      assertThat(map.remove(other)).isNull();
      assertThat(map.keySet().remove(other)).isFalse();
      assertThat(map.remove(other, 1L)).isFalse();
      assertThat(map.remove(One.A, "1")).isFalse();
      assertThat(map.containsValue("1")).isFalse();
    }
    assertThat(map).isEqualTo(Map.of(One.A, 1L)).isNotEqualTo(Map.of(Another.A, 1L));
  }

  @Test
  void nullsAreRefused() {
    PersistentHashMap<String, Integer> map = counts();
    List<Runnable> calls =
        List.of(
            () -> map.get(null),
            () -> map.put(null, 1),
            () -> map.put("a", null),
            () -> map.putIfAbsent("a", null),
            () -> map.replace("a", null),
            () -> map.replace("a", 1, null),
            () -> map.remove(null),
            () -> map.merge("a", null, Integer::sum),
            () -> map.compute("a", null),
            () -> map.containsValue(null),
            () -> {
              Map<String, Integer> half = new HashMap<>();
              half.put("b", 1);
              half.put("a", null);
              map.putAll(half);
            });
    for (Runnable call : calls) {
      assertThatNullPointerException().isThrownBy(call::run);
    }
    assertThat(map).isEmpty();
    assertThat(map.remove("a", null)).isFalse();
  }

  @Test
  void aCodecThatUsesAnotherMap() {
    PersistentHashMap<String, Integer> numbers = counts();
    PersistentHashMap<Integer, String> texts = store.hashMap("t", Integer.class, String.class);
    Codec<String> dictionary =
        new Codec<>() {
          @Override
          public String fingerprint() {
            return "dictionary";
          }

          @Override
          public void encode(String value, EncodedOutput out) {
            int next = numbers.size();
            int number = numbers.computeIfAbsent(value, v -> next);
            texts.putIfAbsent(number, value);
            out.writeShort(number);
          }

          @Override
          public String decode(EncodedInput in) {
            return texts.get((int) in.readShort());
          }
        };
    PersistentHashMap<String, String> map = store.hashMap("m", dictionary, dictionary);
    map.put("a", "b");
    map.put("b", "a");
    assertThat(map).isEqualTo(Map.of("a", "b", "b", "a"));
    assertThat(map.merge("a", "c", String::concat)).isEqualTo("bc");
    assertThat(map.get("a")).isEqualTo("bc");
  }

  @Test
  void aValueThatCanNotBeDecoded() {
    boolean[] isFaulty = new boolean[1];
    Codec<Integer> damaged =
        new Codec<>() {
          @Override
          public String fingerprint() {
            return "damaged";
          }

          @Override
          public void encode(Integer value, EncodedOutput out) {
            out.writeInt(value);
            out.writeByte(value);
          }

          @Override
          public Integer decode(EncodedInput in) {
            int found = in.readInt();
            if (found > 0 || !isFaulty[0]) {
              in.readByte();
            }
            return found;
          }
        };
    PersistentHashMap<Integer, Integer> map = store.hashMap("m", Codec.of(Integer.class), damaged);
    map.put(1, 0);
    map.put(2, 2);
    isFaulty[0] = true;
    assertThatExceptionOfType(CodecException.class).isThrownBy(() -> map.get(1));
    assertThatExceptionOfType(CodecException.class).isThrownBy(() -> map.merge(1, 1, Integer::sum));
    assertThat(map.get(2)).isEqualTo(2);
    assertThat(map.keySet()).containsExactlyInAnyOrder(1, 2);
  }

  // Views

  @Test
  void entriesWriteThrough() {
    PersistentHashMap<String, Integer> map = counts();
    map.putAll(Map.of("a", 1, "b", 2));
    for (Map.Entry<String, Integer> entry : map.entrySet()) {
      int before = entry.getValue();
      assertThat(entry.setValue(before * 10)).isEqualTo(before);
      assertThat(entry.getValue()).isEqualTo(before * 10);
      assertThatNullPointerException().isThrownBy(() -> entry.setValue(null));
    }
    assertThat(map).isEqualTo(Map.of("a", 10, "b", 20));
    assertThat(map.values().remove(20)).isTrue();
    assertThat(map.values().remove(20)).isFalse();
    assertThat(map.entrySet().removeIf(entry -> entry.getValue() == 10)).isTrue();
    assertThat(map).isEmpty();
  }

  @Test
  void removeIfRemovesWhatWasLookedAt() {
    PersistentHashMap<Long, Long> map = longs();
    map.putAll(squares(2_000));
    assertThat(map.values().removeIf(value -> value % 2 == 1)).isTrue();
    assertThat(map).hasSize(1_000);
    assertThat(map.keySet().removeIf(key -> key >= 500)).isTrue();
    assertThat(map).hasSize(250);
    // Another value comes between the look and the removal.
    assertThat(map.values().removeIf(value -> value == 4 && map.put(2L, 7L) != null)).isFalse();
    assertThat(map.get(2L)).isEqualTo(7);
  }

  @Test
  void iteratorsAreWeaklyConsistent() {
    PersistentHashMap<Long, Long> map = longs();
    map.putAll(squares(5_000));
    Set<Long> seen = new HashSet<>();
    Iterator<Long> keys = map.keySet().iterator();
    for (int i = 0; keys.hasNext(); i++) {
      long key = keys.next();
      assertThat(seen.add(key)).as("twice: %s", key).isTrue();
      map.put(1_000_000L + i, 0L); // splits segments under the walk
      if (key % 3 == 0 && key < 5_000) {
        keys.remove();
      }
    }
    assertThat(seen).containsAll(squares(5_000).keySet());
    assertThat(map.keySet().stream().filter(key -> key < 5_000 && key % 3 == 0)).isEmpty();
    Iterator<Long> twice = map.keySet().iterator();
    assertThatIllegalStateException().isThrownBy(twice::remove);
    twice.next();
    twice.remove();
    assertThatIllegalStateException().isThrownBy(twice::remove);
    Iterator<Map.Entry<Long, Long>> left = map.entrySet().iterator();
    map.clear();
    while (left.hasNext()) {
      left.next();
    }
    assertThat(map.validate()).isZero();
  }

  @Test
  void bulkOperations() {
    PersistentHashMap<Long, Long> map = longs();
    assertThat(map.<Long>reduce(1, (key, value) -> key, Long::sum)).isNull();
    assertThat(map.<Long>search(1, (key, value) -> key)).isNull();
    map.putAll(squares(5_000));
    for (long parallelism : new long[] {1, Long.MAX_VALUE}) {
      Map<Long, Long> seen = new ConcurrentHashMap<>();
      map.forEach(parallelism, seen::put);
      assertThat(seen).isEqualTo(squares(5_000));
      ConcurrentLinkedQueue<Long> some = new ConcurrentLinkedQueue<>();
      map.forEach(parallelism, (key, value) -> key % 1_000 == 7 ? value : null, some::add);
      assertThat(some).hasSize(5).contains(49L);
      assertThat(map.<Long>search(parallelism, (key, value) -> value == 81 ? key : null))
          .isEqualTo(9);
      assertThat(map.<Long>search(parallelism, (key, value) -> value == 80 ? key : null)).isNull();
      long sum = 4_999L * 5_000 / 2;
      assertThat(map.<Long>reduce(parallelism, (key, value) -> key, Long::sum)).isEqualTo(sum);
      assertThat(map.reduceToLong(parallelism, (key, value) -> key, 0, Long::sum)).isEqualTo(sum);
      assertThat(map.reduceToInt(parallelism, (key, value) -> 1, 0, Integer::sum)).isEqualTo(5_000);
      assertThat(map.reduceToDouble(parallelism, (key, value) -> key, 0, Math::max))
          .isEqualTo(4_999);
      assertThatIllegalStateException()
          .isThrownBy(
              () ->
                  map.forEach(
                      parallelism,
                      (key, value) -> {
                        throw new IllegalStateException();
                      }));
    }
    assertThat(map.values().parallelStream().mapToLong(value -> value).max()).hasValue(24_990_001);
    Map<Long, Long> walked = new TreeMap<>();
    map.forEach(walked::put);
    assertThat(walked).isEqualTo(squares(5_000));
    map.replaceAll((key, value) -> value + 1);
    assertThat(map.get(3L)).isEqualTo(10);
    assertThat(new TreeSet<>(map.keySet())).hasSize(5_000);
  }

  // Batches

  @Test
  void putAllIsABatchOrASection() {
    PersistentHashMap<Long, Long> map = longs();
    for (int size : new int[] {0, 1, 2, 255, 256, 1_000}) {
      map.putAll(squares(size));
      assertThat(map).isEqualTo(squares(size));
    }
    map.putAll(map);
    assertThat(map).isEqualTo(squares(1_000));
    assertThat(map.validate()).isEqualTo(1_000);
  }

  /// A walk holds a MiB of values, and looks up the others.
  @Test
  void walksOverLongValues() {
    PersistentHashMap<Integer, byte[]> map = store.hashMap("m", Integer.class, byte[].class);
    for (int i = 0; i < 400; i++) {
      byte[] value = new byte[100_000];
      value[0] = (byte) i;
      map.put(i, value);
    }
    Iterator<Map.Entry<Integer, byte[]>> walk = map.entrySet().iterator();
    Set<Integer> seen = new HashSet<>();
    while (walk.hasNext()) {
      Map.Entry<Integer, byte[]> entry = walk.next();
      assertThat(entry.getValue()[0]).isEqualTo(entry.getKey().byteValue());
      seen.add(entry.getKey());
    }
    assertThat(seen).hasSize(400);
    Iterator<Integer> cleared = map.keySet().iterator();
    map.clear();
    int left = 0;
    while (cleared.hasNext()) {
      cleared.next();
      left++;
    }
    assertThat(left).isLessThan(400);
  }

  // What it costs

  /// The boxed result, and the key and the value as words.
  private static final long GET_BYTES = 24 + 32 + 32;

  /// Counts bytes instead of time: looking up a word takes no buffer.
  @Test
  void getOfWordsAllocatesNoBuffer() {
    PersistentHashMap<Long, Long> map = longs();
    for (long i = 0; i < 1_000; i++) {
      map.put(i, i + 1_000_000);
    }
    Long[] keys = LongStream.range(0, 1_000).boxed().toArray(Long[]::new);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    long sum = 0;
    for (int attempt = 0; attempt < 5_000 && least > GET_BYTES * keys.length; attempt++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (Long key : keys) {
        sum += map.get(key);
      }
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    assertThat(sum).isPositive();
    assertThat(least / keys.length).isLessThanOrEqualTo(GET_BYTES);
  }

  @Test
  void closedStores() {
    PersistentHashMap<String, Integer> map = counts();
    map.put("a", 1);
    Iterator<String> keys = map.keySet().iterator();
    store.close();
    List<Runnable> calls = new ArrayList<>();
    calls.add(() -> map.get("a"));
    calls.add(() -> map.put("a", 2));
    calls.add(() -> map.remove("a"));
    calls.add(() -> map.compute("a", (key, value) -> 3));
    calls.add(() -> map.putAll(Map.of("b", 1, "c", 2)));
    calls.add(() -> map.putAll(Map.of("b", 1, "c", 2))); // the locks are free again
    calls.add(map::clear);
    calls.add(map::size);
    calls.add(() -> map.entrySet().iterator());
    calls.add(map::validate);
    for (Runnable call : calls) {
      assertThatExceptionOfType(StoreClosedException.class).isThrownBy(call::run);
    }
    assertThat(keys.next()).isEqualTo("a");
  }
}
