package io.holdfast.collections;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.holdfast.Holdfast;
import io.holdfast.collections.map.EntryMap;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Longs as keys and values go through words, and the map makes no object for any of them.
class LongsInMapsTest {
  private static final int ROUNDS = 20_000;
  private static final int ATTEMPTS = 20;

  @TempDir Path directory;
  private Holdfast store;
  private PersistentHashMap<Long, Long> map;

  @BeforeEach
  void open() {
    store = Holdfast.open(directory.resolve("store.hf"));
    map = store.hashMap("map", Long.class, Long.class);
  }

  @AfterEach
  void close() {
    store.close();
  }

  /// Keys and values that the JDK has boxed already.
  @Test
  void nothingIsAllocated() {
    assertThat(bytesEach(i -> map.put((long) i, (long) i + 1))).isZero();
    assertThat(bytesEach(i -> map.get((long) i))).isZero();
  }

  private interface Step {
    Object run(int i);
  }

  /// The least of several attempts: the first ones run in the interpreter.
  private static long bytesEach(Step step) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < ROUNDS; i++) {
        step.run(i & 63);
      }
      least = Math.min(least, (threads.getCurrentThreadAllocatedBytes() - before) / ROUNDS);
    }
    return least;
  }

  /// A long may be any word, those too that mean something else to the map.
  @Test
  void theValueBefore() {
    long[] words = {0, -1, 1, Long.MIN_VALUE, Long.MAX_VALUE, EntryMap.NONE, EntryMap.UNKNOWN};
    for (long key : words) {
      Long before = null;
      for (long value : words) {
        assertThat(map.put(key, value)).isEqualTo(before);
        assertThat(map.get(key)).isEqualTo(value);
        before = value;
      }
      assertThat(map.remove(key)).isEqualTo(before);
      assertThat(map.put(key, 1L)).isNull();
    }
    assertThat(map).hasSize(words.length);
  }

  /// A section that ends may use the map in the middle of the put that ended it.
  @Test
  void aPutInAPut() {
    ThreadOutputs outputs = ThreadOutputs.current();
    assertThat(outputs.wordPut()).isNotSameAs(outputs.wordPut());
  }
}
