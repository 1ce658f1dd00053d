package io.holdfast.collections.map;

import static io.holdfast.collections.RawCodec.text;
import static io.holdfast.core.fixture.Words.atomically;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.codec.Encoded;
import io.holdfast.core.memory.FlushMode;
import io.holdfast.testkit.RecordingMemory;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Random operations, in and outside of sections, against `java.util`, with openings in between:
/// after a process that ended, and after a system that did, where the index is made anew.
class MapModelTest {
  private static final int OPERATIONS = 6_000;
  private static final int[] VALUES = {0, 1, 8, 20, 60, 150, 700, 3_000};

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void doesWhatAMapDoes(long seed) {
    Random random = new Random(seed);
    boolean isOrdered = seed % 2 == 0;
    RecordingMemory bytes = new RecordingMemory();
    int shape = (int) seed % 3;
    long boot = 1;
    Map<String, String> model = new TreeMap<>();
    MapRegion store =
        MapRegion.open(isOrdered ? FlushMode.POSTED.over(bytes) : bytes, boot).create(shape);
    for (int i = 0; i < OPERATIONS; i++) {
      String what = "seed=%d, operation=%d".formatted(seed, i);
      MapRegion open = store;
      if (random.nextInt(20) == 0) {
        atomically(
            () -> {
              for (int j = random.nextInt(12); j >= 0; j--) {
                operate(open, model, random, what);
              }
            });
      } else if (random.nextInt(20) == 0) {
        Map<String, String> batch = new TreeMap<>();
        for (int j = random.nextInt(12); j >= 0; j--) {
          batch.put("key" + random.nextInt(60), text("b" + i, random.nextInt(200)));
        }
        open.putAll(batch);
        model.putAll(batch);
      } else {
        operate(open, model, random, what);
      }
      if (random.nextInt(1_500) == 0) {
        store.map().clear();
        model.clear();
      }
      if (random.nextInt(700) == 0) {
        assertThat(store.map().validate()).as(what).isEqualTo(model.size());
        RecordingMemory asItIs = bytes.copy(); // as by a crash
        store.close();
        bytes = random.nextBoolean() ? bytes : asItIs;
        boot += random.nextInt(2);
        store = MapRegion.open(isOrdered ? FlushMode.POSTED.over(bytes) : bytes, boot);
        assertThat(store.map().validate()).as(what).isEqualTo(model.size());
        assertThat(store.all()).as(what).isEqualTo(model);
      }
    }
    assertThat(store.all()).isEqualTo(model);
    store.checkBlocks();
    store.close();
  }

  private static void operate(
      MapRegion store, Map<String, String> model, Random random, String what) {
    String key = "key" + random.nextInt(random.nextInt(4) == 0 ? 2_000 : 40);
    key = random.nextInt(8) == 0 ? text(key, 40 + random.nextInt(100)) : key;
    switch (random.nextInt(6)) {
      case 0, 1, 2 -> {
        String value = text("v" + random.nextInt(1_000), VALUES[random.nextInt(VALUES.length)]);
        assertThat(store.put(key, value)).as(what).isEqualTo(model.put(key, value));
      }
      case 3 -> assertThat(store.remove(key)).as(what).isEqualTo(model.remove(key));
      case 4 -> {
        String added = "w" + random.nextInt(10);
        boolean removes = random.nextInt(5) == 0;
        String after =
            model.compute(
                key,
                (k, old) ->
                    removes ? null : old == null ? added : old.substring(old.length() / 2) + added);
        Encoded now =
            store
                .map()
                .compute(
                    MapRegion.encoded(key),
                    old ->
                        removes
                            ? null
                            : old == null
                                ? MapRegion.encoded(added)
                                : MapRegion.encoded(
                                    MapRegion.text(old).substring(old.length() / 2) + added));
        assertThat(MapRegion.text(now)).as(what).isEqualTo(after);
      }
      default -> assertThat(store.get(key)).as(what).isEqualTo(model.get(key));
    }
    assertThat(store.map().size()).as(what).isEqualTo(model.size());
  }
}
