package io.holdfast.collections.map;

import static io.holdfast.core.fixture.Words.atomically;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.codec.Encoded;
import io.holdfast.core.RegionFullException;
import io.holdfast.core.memory.FlushMode;
import io.holdfast.testkit.RecordingMemory;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Random operations on a map of words, in and outside of sections, some of them rolled back,
/// against `java.util`, with openings in between, after a process that ended and after a system
/// that did.
class WordMapModelTest {
  private static final int OPERATIONS = 20_000;

  private final Map<Long, Long> model = new TreeMap<>();
  private RecordingMemory bytes = new RecordingMemory();
  private MapRegion store;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void doesWhatAMapDoes(long seed) {
    Random random = new Random(seed);
    boolean isOrdered = seed % 2 == 0;
    long boot = 1;
    open(isOrdered, boot);
    store.create((int) seed % 3);
    for (int i = 0; i < OPERATIONS; i++) {
      String what = "seed=%d, operation=%d".formatted(seed, i);
      switch (random.nextInt(40)) {
        case 0 -> atomically(() -> operateSome(random, what));
        case 1 -> rollBack(random, what);
        default -> operate(random, what);
      }
      if (random.nextInt(6_000) == 0) {
        store.map().clear();
        model.clear();
      }
      if (random.nextInt(1_500) == 0) {
        RecordingMemory asItIs = bytes.copy(); // as by a crash
        store.close();
        bytes = random.nextBoolean() ? bytes : asItIs;
        boot += random.nextInt(2);
        open(isOrdered, boot);
        check(what);
      }
    }
    check("at the end");
    store.checkBlocks();
    store.close();
  }

  private void open(boolean isOrdered, long boot) {
    store =
        MapRegion.open(
            isOrdered ? FlushMode.POSTED.over(bytes) : bytes, boot, MapRegion.Form.WORDS);
  }

  private void check(String what) {
    assertThat(store.map().validate()).as(what).isEqualTo(model.size());
    Map<Long, Long> found = new TreeMap<>();
    store.entries().forEach(each -> found.put(each.key().word(), each.value().word()));
    assertThat(found).as(what).isEqualTo(model);
  }

  private void operateSome(Random random, String what) {
    for (int j = random.nextInt(12); j >= 0; j--) {
      operate(random, what);
    }
  }

  private void rollBack(Random random, String what) {
    Map<Long, Long> before = new TreeMap<>(model);
    bytes.limitTo(bytes.length());
    try {
      atomically(
          () -> {
            try {
              operateSome(random, what);
            } catch (RegionFullException e) {
              return; // earlier than it was meant to be
            }
            assertThatThrownBy(() -> store.region().heap().allocate(100_000_000))
                .isInstanceOf(RegionFullException.class);
          });
    } finally {
      bytes.limitTo(Long.MAX_VALUE);
    }
    model.clear();
    model.putAll(before);
    check(what);
  }

  private void operate(Random random, String what) {
    long key = random.nextInt(random.nextInt(4) == 0 ? 4_000 : 40); // 0 is one
    long value = random.nextInt(10);
    Encoded encoded = Encoded.of(key);
    switch (random.nextInt(6)) {
      case 0, 1, 2 ->
          assertThat(word(store.map().put(encoded, Encoded.of(value))))
              .as(what)
              .isEqualTo(model.put(key, value));
      case 3 -> assertThat(word(store.map().remove(encoded))).as(what).isEqualTo(model.remove(key));
      case 4 -> {
        boolean removes = value == 0;
        Encoded now =
            store
                .map()
                .compute(
                    encoded,
                    old -> removes ? null : Encoded.of(value + (old == null ? 0 : old.word())));
        Long after =
            model.compute(key, (k, old) -> removes ? null : value + (old == null ? 0 : old));
        assertThat(word(now)).as(what).isEqualTo(after);
      }
      default -> {
        assertThat(store.map().word(key))
            .as(what)
            .isEqualTo(model.getOrDefault(key, EntryMap.NONE));
        assertThat(word(store.map().get(encoded))).as(what).isEqualTo(model.get(key));
      }
    }
    assertThat(store.map().size()).as(what).isEqualTo(model.size());
  }

  private static Long word(Encoded encoded) {
    return encoded == null ? null : encoded.word();
  }
}
