package io.holdfast.collections.map;

import static io.holdfast.collections.RawCodec.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.collections.map.slot.MapLayout;
import io.holdfast.collections.map.slot.SlotClass;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.memory.FlushMode;
import io.holdfast.testkit.RecordingMemory;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// How a map is opened that was open before: to survive the same failure or the other one, in the
/// same run of the operating system or a later one.
class MapOpeningTest {
  private static final long BOOT = 1, LATER = 2, UNKNOWN = 0;

  private final Map<String, String> model = new TreeMap<>();

  private void fill(MapRegion store) {
    for (int i = 0; i < 500; i++) {
      String key = "key%05d".formatted(i);
      String value = text("v" + i, i);
      store.put(key, value);
      model.put(key, value);
    }
    store.remove("key00007");
    model.remove("key00007");
  }

  private void check(MapRegion store) {
    assertThat(store.map().validate()).isEqualTo(model.size());
    assertThat(store.all()).isEqualTo(model);
    store.put("another", "x" + model.size());
    model.put("another", "x" + model.size());
  }

  /// Versions of a map that nobody can have changed so often: refused before they overflow.
  @Test
  void p8VersionsNearTheirEnd() {
    long max = MapLayout.VERSION_MAX;
    RecordingMemory bytes = new RecordingMemory();
    long root;
    try (MapRegion store = MapRegion.open(bytes, BOOT).create()) {
      fill(store);
      root = store.root();
      long count = store.map().size();
      store
          .map()
          .forEachStripe(
              stripe -> {
                bytes.damage(stripe + MapLayout.STATE, max - 10 << 1);
                bytes.damage(stripe + MapLayout.COUNT, count);
                bytes.damage(stripe + MapLayout.COUNT + 8, count);
              });
      bytes.damage(root + MapLayout.ROOT_BATCH, max - 10 << 2);
      store.openAgain();
      check(store);
      store.putAll(Map.of("batch", "1", "key00001", "2"));
      model.putAll(Map.of("batch", "1", "key00001", "2"));
    }
    try (MapRegion store = MapRegion.open(bytes, UNKNOWN)) {
      check(store);
      bytes.damage(root + MapLayout.ROOT_BATCH, max + 1 << 2);
      assertThatExceptionOfType(RegionDamagedException.class)
          .isThrownBy(store::openAgain)
          .withMessageContaining(
              "a map's version=0x20000000000001, max=0x20000000000000, offset=0x");
      store.map().forEachStripe(stripe -> bytes.damage(stripe, -2));
      assertThatExceptionOfType(RegionDamagedException.class)
          .isThrownBy(store::openAgain)
          .withMessageContaining("a map's version=0x7FFFFFFFFFFFFFFF");
    }
  }

  /// A rebuild goes by the entries' versions.
  @Test
  void p8VersionsOfEntriesNearTheirEnd() {
    RecordingMemory bytes = new RecordingMemory();
    try (MapRegion store = MapRegion.open(FlushMode.POSTED.over(bytes), BOOT).create()) {
      store.put("key", "value");
      store
          .map()
          .forEachSlot(
              (slot, place) -> {
                if (MapLayout.version(bytes.readPlain(slot)) != 0) {
                  bytes.damage(slot, MapLayout.meta((1L << 54) - 1, 1, 1));
                }
              });
    }
    assertThatExceptionOfType(RegionDamagedException.class)
        .isThrownBy(() -> MapRegion.open(FlushMode.POSTED.over(bytes), LATER))
        .withMessageContaining("a map's version=0x3FFFFFFFFFFFFF");
  }

  /// More entries than an `int` counts, as a map has that is larger than this machine.
  @Test
  void moreThanTwoToThe31Entries() {
    RecordingMemory bytes = new RecordingMemory();
    try (MapRegion store = MapRegion.open(bytes, BOOT).create()) {
      fill(store);
      store
          .map()
          .forEachStripe(
              stripe -> {
                bytes.damage(stripe + MapLayout.COUNT, 1L << 32);
                bytes.damage(stripe + MapLayout.COUNT + 8, 1L << 32);
              });
      store.openAgain();
      assertThat(store.map().size()).isEqualTo(1L << 32);
      store.put("one more", "x");
      assertThat(store.map().size()).isEqualTo((1L << 32) + 1);
      store.remove("one more");
      store.remove("key00001");
      assertThat(store.map().size()).isEqualTo((1L << 32) - 1);
      model.remove("key00001");
      assertThat(store.all()).isEqualTo(model);
      assertThatExceptionOfType(RegionDamagedException.class)
          .isThrownBy(() -> store.map().validate());
    }
  }

  /// What is not flushed may be anything after a loss of power.
  private static void spoil(RecordingMemory bytes, MapRegion store) {
    Random random = new Random(1);
    long[] segments = new long[64];
    int[] count = new int[1];
    store.map().forEachSegment((first, segment, depth) -> segments[count[0]++] = segment);
    for (int i = 0; i < count[0]; i++) {
      for (long at = segments[i] + 64; at < segments[i] + MapLayout.SEGMENT_BYTES; at += 8) {
        bytes.damage(at, random.nextLong());
      }
    }
    store.map().forEachStripe(stripe -> spoilStripe(bytes, random, stripe));
  }

  private static void spoilStripe(RecordingMemory bytes, Random random, long stripe) {
    for (long at = stripe; at < stripe + MapLayout.DIRECTORY; at += 8) {
      bytes.damage(at, random.nextLong());
    }
    for (int sizeClass = 0; sizeClass < SlotClass.COUNT; sizeClass++) {
      long itsClass = MapLayout.classAt(stripe, sizeClass);
      bytes.damage(itsClass + MapLayout.CLASS_HEAD, random.nextLong());
      bytes.damage(itsClass + MapLayout.CLASS_TAIL, random.nextLong());
      bytes.damage(itsClass + MapLayout.CLASS_BUMP, random.nextLong());
    }
  }

  @Test
  void isRebuiltWhenTheSystemWasDown() {
    for (long boot : new long[] {LATER, UNKNOWN}) {
      RecordingMemory bytes = new RecordingMemory();
      try (MapRegion store = MapRegion.open(FlushMode.POSTED.over(bytes), BOOT).create(1)) {
        fill(store);
        spoil(bytes, store);
      }
      try (MapRegion store = MapRegion.open(FlushMode.POSTED.over(bytes), boot)) {
        check(store);
      }
      model.clear();
    }
  }

  @Test
  void surviveOneFailureAndThenTheOther() {
    RecordingMemory bytes = new RecordingMemory();
    try (MapRegion store = MapRegion.open(bytes, BOOT).create(1)) {
      fill(store);
    }
    for (long boot : new long[] {BOOT, LATER, LATER, UNKNOWN, BOOT}) {
      try (MapRegion store = MapRegion.open(FlushMode.POSTED.over(bytes), boot)) {
        check(store);
      }
      try (MapRegion store = MapRegion.open(bytes, boot)) {
        check(store);
      }
    }
  }
}
