package io.holdfast.collections.map;

import static io.holdfast.collections.RawCodec.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.explorer.RecordingMemory;
import io.holdfast.core.memory.OrderedMemory;
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

  /// What is not flushed may be anything behind a loss of power.
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
      try (MapRegion store = MapRegion.open(new OrderedMemory(bytes), BOOT).create(1)) {
        fill(store);
        spoil(bytes, store);
      }
      try (MapRegion store = MapRegion.open(new OrderedMemory(bytes), boot)) {
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
      try (MapRegion store = MapRegion.open(new OrderedMemory(bytes), boot)) {
        check(store);
      }
      try (MapRegion store = MapRegion.open(bytes, boot)) {
        check(store);
      }
    }
  }
}
