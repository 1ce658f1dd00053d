package io.holdfast.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.log.UndoEntry.Kind;
import org.junit.jupiter.api.Test;

/// Sizes, offsets and codes of format version 1. A change here is a new format version.
class LogFormatTest {
  @Test
  void entriesAreThoseOfFormatVersion1() {
    assertThat(
            new int[] {
              UndoEntry.BYTES, UndoEntry.TARGET, UndoEntry.VALUE, UndoEntry.STAMP, UndoEntry.META
            })
        .containsExactly(32, 0, 8, 16, 24);
    assertThat(Kind.values())
        .containsExactly(
            Kind.NONE,
            Kind.STORE,
            Kind.SET_BITS,
            Kind.CLEAR_BITS,
            Kind.DEPENDENCY,
            Kind.LINK,
            Kind.RANGE);
    assertThat(UndoEntry.meta(Kind.LINK, 7)).isEqualTo(0x705);
    assertThat(UndoEntry.numberOf(0x705)).isEqualTo(7);
    assertThat(Kind.of(0x705)).isEqualTo(Kind.LINK);
    assertThat(Kind.of(0x707)).isNull();
  }

  @Test
  void slotsAreThoseOfFormatVersion1() {
    assertThat(
            new int[] {
              LogSlot.BYTES,
              LogSlot.FIRST_GROUP,
              LogSlot.FURTHER_GROUP,
              LogSlot.DURABLE,
              LogSlot.ENDED,
              LogSlot.CHUNKS,
              LogSlot.ENTRIES,
              LogSlot.CHUNK_NEXT,
              LogSlot.GROUP_NEXT
            })
        .containsExactly(2048, 26, 31, 0, 8, 16, 64, 0, 0);
  }
}
