package io.holdfast.collections.map;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.collections.map.slot.MapLayout;
import io.holdfast.collections.map.slot.SlotClass;
import org.junit.jupiter.api.Test;

/// Freezes what format version 1 says of a map, and checks that the parts fit each other.
class MapLayoutTest {
  @Test
  void sizesAndOffsets() {
    assertThat(MapLayout.STRIPE_BYTES).isEqualTo(832);
    assertThat(MapLayout.SEGMENT_BYTES).isEqualTo(4032);
    assertThat(MapLayout.BUCKETS).isEqualTo(31);
    assertThat(MapLayout.BUCKET_WORDS).isEqualTo(16);
    assertThat(MapLayout.DEPTH_MAX).isEqualTo(20);
    assertThat(MapLayout.classAt(0, SlotClass.COUNT)).isEqualTo(MapLayout.STRIPE_BYTES);
    assertThat(SlotClass.COUNT).isEqualTo(22);
    assertThat(MapLayout.meta(3, 255, 1)).isEqualTo(3 << 10 | 255 << 1 | 1);
  }

  @Test
  void wordsHoldWhatIsPutIntoThem() {
    long slot = (1L << 48) - 64;
    long hash = 0xFEDC_BA98_7654_3210L;
    long word = MapLayout.indexWord(hash, slot);
    assertThat(MapLayout.slotOf(word)).isEqualTo(slot);
    assertThat(MapLayout.matches(word, hash)).isTrue();
    assertThat(MapLayout.matches(word, hash ^ 1L << 42)).isFalse();
    assertThat(MapLayout.matches(0, 0)).isFalse();
    long meta = MapLayout.meta((1L << 54) - 1, 255, 1);
    assertThat(MapLayout.version(meta)).isEqualTo((1L << 54) - 1);
    assertThat(MapLayout.count(meta)).isEqualTo(255);
    assertThat(MapLayout.polarity(meta)).isEqualTo(1);
    long bump = MapLayout.bump(slot, 1023);
    assertThat(MapLayout.bumpSlot(bump)).isEqualTo(slot);
    assertThat(MapLayout.bumpLeft(bump)).isEqualTo(1023);
    assertThat(bump << 1 >>> 1).isEqualTo(bump);
    assertThat(MapLayout.chunkOf(1L << 40, MapLayout.place(2, 5)))
        .isEqualTo((1L << 40) - 64 - 5 * 3 * 64);
  }

  /// What does not fit the first line goes to the smallest class that holds it, and a chunk has
  /// room for its slots.
  @Test
  void classesHoldWhatTheySay() {
    for (int further = -48; further <= 509 * 63; further++) {
      int sizeClass = SlotClass.holding(further);
      assertThat(capacity(sizeClass)).isGreaterThanOrEqualTo(further);
      assertThat(sizeClass == 0 || capacity(sizeClass - 1) < further).isTrue();
    }
    assertThat(SlotClass.holding(509 * 63 + 1)).isEqualTo(MapLayout.LARGE_CLASS);
    for (int sizeClass = 0; sizeClass < SlotClass.COUNT; sizeClass++) {
      int lines = 0;
      for (int i = 0; i < 8; i++) {
        int next = SlotClass.nextChunkLines(sizeClass, lines);
        assertThat(next).isGreaterThanOrEqualTo(lines).isLessThanOrEqualTo(1024);
        assertThat(SlotClass.slots(sizeClass, next)).isBetween(2, MapLayout.NUMBER_MAX);
        lines = next;
      }
    }
  }

  private static int capacity(int sizeClass) {
    return (SlotClass.lines(sizeClass) - 1) * MapLayout.FURTHER_LINE_PAYLOAD;
  }
}
