package io.holdfast.collections.map.slot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testkit.RecordingMemory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What a slot's first line says of itself comes out as it went in.
class SlotFormTest {
  private static final int LONGEST = 48 + 509 * 63;
  private static final long SLOT = 1 << 16;

  private final RecordingMemory memory = new RecordingMemory();

  @BeforeEach
  void grow() {
    memory.grow(1 << 17);
  }

  private static int classHolding(SlotForm form, int payload) {
    return SlotClass.holding(payload - form.room(payload));
  }

  /// All lengths of together up to four lines, and some of the others.
  @ParameterizedTest
  @EnumSource
  void placeAndLengths(SlotForm form) {
    for (int payload = 0; payload <= LONGEST - 8; payload += payload < 250 ? 1 : 613) {
      int sizeClass = classHolding(form, payload);
      int last = SlotClass.slots(sizeClass, SlotClass.CHUNK_LINES_MAX) - 1;
      for (int key = 0; key <= payload; key += payload < 250 ? 1 : 911) {
        long lengths = MapLayout.lengths(key, payload - key);
        for (int number : new int[] {0, 1, last}) {
          long place = MapLayout.place(sizeClass, number);
          form.take(memory, SLOT, place, lengths);
          assertThat(form.lengths(memory, SLOT)).isEqualTo(lengths);
          assertThat(form.place(memory, SLOT)).isEqualTo(place);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void freeSlots(SlotForm form) {
    for (int sizeClass = 0; sizeClass < SlotClass.COUNT; sizeClass++) {
      int slots = SlotClass.slots(sizeClass, SlotClass.CHUNK_LINES_MAX);
      for (int number = 0; number < slots; number++) {
        long place = MapLayout.place(sizeClass, number);
        form.setFree(memory, SLOT, place);
        memory.writePlain(form.nextAt(SLOT), form.linked(memory, SLOT, (1L << 48) - 64));
        assertThat(form.place(memory, SLOT)).isEqualTo(place);
        assertThat(form.next(memory, SLOT)).isEqualTo((1L << 48) - 64);
        memory.writePlain(form.nextAt(SLOT), form.linked(memory, SLOT, 0));
        assertThat(form.place(memory, SLOT)).isEqualTo(place);
        assertThat(form.next(memory, SLOT)).isZero();
      }
    }
  }

  /// What a slot keeps when an image's lengths are replaced: bytes of a short entry lie in the same
  /// word.
  @Test
  void aShortImageKeepsItsBytes() {
    byte[] image = new byte[128];
    for (int at = 8; at < 61; at++) {
      image[at] = (byte) at;
    }
    byte[] before = image.clone();
    long place = MapLayout.place(1, 500);
    SlotForm.DENSE.setTaken(image, place, MapLayout.lengths(16, 100));
    SlotForm.DENSE.setTaken(image, SlotForm.DENSE.place(image), MapLayout.lengths(16, 50));
    assertThat(SlotForm.DENSE.place(image)).isEqualTo(place);
    System.arraycopy(before, 61, image, 61, 3);
    assertThat(image).isEqualTo(before);
  }

  /// What the class of a short slot follows from.
  @Test
  void lengthsOfLines() {
    assertThat(classHolding(SlotForm.DENSE, 53)).isEqualTo(0);
    assertThat(classHolding(SlotForm.DENSE, 54)).isEqualTo(1);
    assertThat(classHolding(SlotForm.DENSE, 116)).isEqualTo(1);
    assertThat(classHolding(SlotForm.DENSE, 117)).isEqualTo(2);
    assertThat(classHolding(SlotForm.DENSE, LONGEST)).isEqualTo(SlotClass.COUNT - 1);
    assertThat(classHolding(SlotForm.DENSE, LONGEST + 1)).isEqualTo(MapLayout.LARGE_CLASS);
    assertThat(classHolding(SlotForm.WIDE, 40)).isEqualTo(0);
    assertThat(classHolding(SlotForm.WIDE, 103)).isEqualTo(1);
    assertThat(classHolding(SlotForm.WIDE, LONGEST - 8)).isEqualTo(SlotClass.COUNT - 1);
  }
}
