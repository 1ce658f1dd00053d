package io.holdfast.collections.map;

import static io.holdfast.collections.RawCodec.text;
import static io.holdfast.core.fixture.Words.atomically;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.map.slot.MapLayout;
import io.holdfast.core.Durability;
import io.holdfast.core.PersistenceCounts;
import io.holdfast.core.memory.FlushMode;
import io.holdfast.testkit.Bounds;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.RecordingMemory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// Entries that fit no size class (MAP-11).
@ParameterizedClass
@EnumSource(Durability.class)
class MapLargeCrashTest {
  private static final int LARGE = MapRegion.PAYLOAD_MAX + 1;

  @Parameter Durability durability;

  private CrashExplorer<MapRegion> explorer(String name) {
    return MapCrashes.explorer(name, durability)
        .bounds(new Bounds(4, 4, 4, 20))
        .crashesOfRecovery(0)
        .given(
            store -> {
              store.create();
              store.put("keyOne..", "1");
              store.put("keyTwo..", text("2", LARGE));
              store.put("keyThree", text("3", LARGE + 5_000));
            });
  }

  @Test
  void map11Values() {
    explorer("large values")
        .step("insert", store -> store.put("keyFour.", text("4", LARGE)))
        .step("update", store -> store.put("keyTwo..", text("5", LARGE + 10)))
        .step("from a small one", store -> store.put("keyOne..", text("6", LARGE)))
        .step("to a small one", store -> store.put("keyThree", "7"))
        .step("remove", store -> assertThat(store.remove("keyFour.")).hasSize(LARGE))
        .explore();
  }

  /// All images of the one step: a loss of power that keeps what was stored and not that it was
  /// made void again.
  @Test
  void map11ASmallOneThatCameToNothing() {
    Bounds all = new Bounds(64, 64, 64, 64);
    explorer("from large to small")
        .bounds(durability == Durability.POWER_FAILURE ? all : Bounds.SPARSE)
        .step("to a small one", store -> store.put("keyTwo..", "7"))
        .explore();
  }

  @Test
  void map11InASection() {
    explorer("large values in a section")
        .step(
            "several",
            store ->
                atomically(
                    () -> {
                      store.put("keyTwo..", text("4", LARGE));
                      store.put("keyTwo..", text("5", LARGE));
                      store.remove("keyThree");
                      store.put("keyOne..", text("6", LARGE));
                      store.put("keyThree", "7");
                    }))
        .step("clear", store -> store.map().clear())
        .explore();
  }

  @Test
  void map11LongKeys() {
    String key = text("key", LARGE + 100);
    explorer("long keys")
        .step("insert", store -> store.put(key, "1"))
        .step("update", store -> assertThat(store.put(key, "2")).isEqualTo("1"))
        .step("remove", store -> assertThat(store.remove(key)).isEqualTo("2"))
        .explore();
  }

  /// Each line of the entry is flushed once, before the words of its section.
  @Test
  void linesAreFlushedOnce() {
    if (durability == Durability.PROCESS_CRASH) {
      return; // nothing is
    }
    RecordingMemory bytes = new RecordingMemory();
    try (MapRegion store = MapRegion.open(FlushMode.POSTED.over(bytes), 1).create()) {
      store.put("keyOne..", text("1", 100_000));
      store.put("keyOne..", text("2", 100_000));
      PersistenceCounts before = bytes.counts();
      store.put("keyOne..", text("3", 100_000));
      PersistenceCounts done = bytes.counts().since(before);
      int lines = (64 + 8 + 100_000 + 63) / 64;
      assertThat(done.lines()).isBetween((long) lines, lines + 40L);
      assertThat(done.fences()).isLessThan(20);
    }
  }

  /// Refused before anything is written.
  @Test
  void theLimit() {
    try (MapRegion store = MapRegion.open(new RecordingMemory(), 1).create()) {
      store.put("key", "value");
      byte[] before = bytes(store);
      Encoded tooLong = Encoded.of(new byte[MapLayout.ENTRY_MAX - 6]);
      assertThatThrownBy(() -> store.map().put(MapRegion.encoded("a key.."), tooLong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("key=7 bytes, value=268435450 bytes, max=268435456 together");
      assertThatThrownBy(() -> store.map().compute(MapRegion.encoded("a key.."), found -> tooLong))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(bytes(store)).isEqualTo(before);
      assertThat(store.get("key")).isEqualTo("value");
    }
  }

  private static byte[] bytes(MapRegion store) {
    byte[] bytes = new byte[(int) store.region().memory().length()];
    store.region().memory().readBytes(0, bytes, 0, bytes.length);
    return bytes;
  }
}
