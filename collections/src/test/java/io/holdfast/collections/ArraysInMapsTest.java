package io.holdfast.collections;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.Transaction;
import io.holdfast.codec.Codec;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Arrays of bytes as keys and values: all of an encoded form, so that arrays could be mixed up.
class ArraysInMapsTest {
  private static final Codec<byte[]> BYTES = Codec.of(byte[].class);

  @TempDir Path directory;
  private Holdfast store;
  private PersistentHashMap<byte[], byte[]> map;

  @BeforeEach
  void open() {
    store = Holdfast.open(directory.resolve("store.hf"));
    map = store.hashMap("map", byte[].class, byte[].class);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private PersistentTreeMap<byte[], byte[]> sorted() {
    return store.treeMap("sorted", BYTES, BYTES, "unsigned", Arrays::compareUnsigned);
  }

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  @Test
  void ofNoBytes() {
    for (int time = 0; time < 2; time++) {
      for (Map<byte[], byte[]> each : Map.of("map", map, "sorted", sorted()).values()) {
        byte[] before = time == 0 ? null : bytes(1);
        assertThat(each.put(bytes(), bytes())).isEqualTo(before);
        assertThat(each.put(bytes(0), bytes())).isEqualTo(before);
        assertThat(each.get(bytes())).isEmpty();
        assertThat(each.put(bytes(), bytes(1))).isEmpty();
        assertThat(each.replace(bytes(0), bytes(), bytes(1))).isTrue();
        assertThat(each.keySet()).containsExactlyInAnyOrder(bytes(), bytes(0));
      }
      assertThat(map.validate()).isEqualTo(2);
      assertThat(sorted().validate()).isEqualTo(2);
      store.close();
      open();
    }
    assertThat(map.remove(bytes())).isEqualTo(bytes(1));
    assertThat(sorted().remove(bytes())).isEqualTo(bytes(1));
    assertThat(map.validate()).isOne();
    assertThat(sorted().validate()).isOne();
  }

  @Test
  void ofADelayQueue() {
    List<byte[]> elements = List.of(bytes(), bytes(1), bytes(1, 2, 3, 4, 5, 6, 7, 8));
    for (byte[] element : elements) {
      store.delayQueue("due", byte[].class).add(element, Instant.EPOCH);
    }
    store.close();
    open();
    List<byte[]> taken = new ArrayList<>();
    for (int i = 0; i < elements.size(); i++) {
      taken.add(store.delayQueue("due", byte[].class).poll().element());
    }
    assertThat(taken).containsExactlyInAnyOrderElementsOf(elements);
  }

  /// A word in between, in maps whose index has none.
  @Test
  void ofEightBytes() {
    for (Map<byte[], byte[]> each : Map.of("map", map, "sorted", sorted()).values()) {
      byte[] key = bytes(1, 2, 3, 4, 5, 6, 7, 8);
      assertThat(each.put(key, bytes(1))).isNull();
      assertThat(each.put(key, key)).isEqualTo(bytes(1));
      assertThat(each.get(key)).isEqualTo(key);
      assertThat(each.get(bytes(1, 2, 3, 4, 5, 6, 7))).isNull();
      assertThat(each.put(key, bytes(1, 2, 3))).isEqualTo(key);
      assertThat(each.keySet()).containsExactly(key);
      assertThat(each.remove(key)).isEqualTo(bytes(1, 2, 3));
      assertThat(each.containsKey(key)).isFalse();
    }
  }

  /// Of eight bytes, which are a word in between, and of others.
  @Test
  void whatComesOutIsTheCallers() {
    for (int length : new int[] {3, 8, 100, 1_000}) {
      byte[] key = bytes(1, length);
      byte[] value = new byte[length];
      map.put(key, value);
      map.get(key)[0] = 1;
      assertThat(map.get(key)).isEqualTo(value);
      map.put(key, value)[0] = 1;
      assertThat(map.get(key)).isEqualTo(value);
      store.atomically(() -> spoil(key, value));
      assertThat(map.get(key)).isEqualTo(value);
      store.transaction(() -> spoil(key, value));
      assertThat(map.get(key)).isEqualTo(value);
    }
  }

  private void spoil(byte[] key, byte[] value) {
    map.get(key)[0] = 1;
    assertThat(map.get(key)).isEqualTo(value);
    map.put(key, value);
    map.get(key)[0] = 1;
    assertThat(map.get(key)).isEqualTo(value);
    map.put(key, value)[0] = 1;
    assertThat(map.get(key)).isEqualTo(value);
  }

  /// An open section's value, on which another thread builds.
  @Test
  void whatIsBuiltOnIsTheSections() {
    byte[] key = bytes(1);
    store.atomically(
        () -> {
          map.put(key, bytes(5));
          CompletableFuture.runAsync(() -> map.put(key, bytes(6))[0] = 7).join();
          assertThat(map.get(key)).isEqualTo(bytes(5));
          CompletableFuture.runAsync(() -> map.put(key, bytes(8))[0] = 7).join();
        });
    assertThat(map.get(key)).isEqualTo(bytes(8));
  }

  /// An alternative that gives up leaves what was read as it was.
  @Test
  void whatWasReadIsTheTransactions() {
    byte[] key = bytes(1);
    map.put(key, bytes(5));
    byte[] found =
        store.transaction(
            () ->
                Transaction.orElse(
                    () -> {
                      map.put(key, bytes(6))[0] = 7;
                      return Transaction.retry();
                    },
                    () -> map.get(key)));
    assertThat(found).isEqualTo(bytes(5));
  }

  /// The buffer of one operation is the next one's.
  @Test
  void whatGoesInIsKept() {
    store.transaction(
        () -> {
          for (int i = 0; i < 50; i++) {
            assertThat(map.get(bytes(i, 1))).isNull();
            map.put(bytes(i, 1), bytes(i, 2, 3));
          }
          for (int i = 0; i < 50; i++) {
            assertThat(map.get(bytes(i, 1))).isEqualTo(bytes(i, 2, 3));
          }
        });
    store.atomically(
        () -> {
          for (int i = 50; i < 100; i++) {
            map.put(bytes(i, 1), bytes(i, 2, 3));
          }
        });
    assertThat(map).hasSize(100);
    store.transaction(
        () -> {
          for (int i = 0; i < 100; i++) {
            assertThat(map.get(bytes(i, 1))).isEqualTo(bytes(i, 2, 3));
          }
        });
  }
}
