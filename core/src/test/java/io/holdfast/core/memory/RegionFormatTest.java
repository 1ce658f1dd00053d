package io.holdfast.core.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.memory.RegionHeader.State;
import io.holdfast.core.memory.SpanTable.Use;
import io.holdfast.testkit.RecordingMemory;
import java.util.HexFormat;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// Sizes, offsets and codes of format version 1. A change here is a new format version.
class RegionFormatTest {
  @Test
  void layoutIsThatOfFormatVersion1() {
    assertThat(
            new long[] {
              RegionLayout.WORD_BYTES,
              RegionLayout.LINE_BYTES,
              RegionLayout.PAGE_BYTES,
              RegionLayout.SPAN_BYTES,
              RegionLayout.FIRST_ZONE_SPANS,
              RegionLayout.ZONES_MAX,
              RegionLayout.HEADER_A,
              RegionLayout.HEADER_B,
              RegionLayout.ANCHOR_ROOTS,
              RegionLayout.ANCHOR_LOG_GROUPS,
              RegionLayout.ANCHOR_RECOVERY,
              RegionLayout.ANCHOR_STRATEGY,
              RegionLayout.ANCHOR_TABLES,
              RegionLayout.FIRST_TABLE,
              RegionLayout.FIRST_SLOTS,
              RegionLayout.MIN_BYTES,
              RegionLayout.OPENING,
              RegionLayout.OWNER,
              RegionLayout.RUN,
              RegionLayout.STACKS,
              RegionLayout.BLACK_BOX
            })
        .containsExactly(
            8, 64, 0x1000, 0x10000, 256, 21, 0, 0x1000, 0x2000, 0x2008, 0x2010, 0x2020, 0x2200,
            0x2800, 0x3000, 0x40000, 0x40, 0x80, 0x100, 0x200, 0x1040);
    assertThat(Use.values())
        .containsExactly(Use.FREE, Use.SLAB, Use.LARGE, Use.LOG_CHUNK, Use.LOG_GROUP);
    RecordingMemory memory = new RecordingMemory();
    memory.grow(RegionLayout.MIN_BYTES);
    memory.writePlain(0x2208, 0x40000);
    memory.writePlain(0x2238, 0x50000);
    assertThat(SpanTable.wordOf(memory, 0x20000)).isEqualTo(0x2810);
    assertThat(SpanTable.wordOf(memory, 0x1000000)).isEqualTo(0x40000);
    assertThat(SpanTable.wordOf(memory, 0x1FF0000)).isEqualTo(0x407F8);
    assertThat(SpanTable.wordOf(memory, 0x40030000)).isEqualTo(0x50018);
    assertThat(SpanTable.word(Use.LARGE, 3)).isEqualTo(0x302);
    assertThat(SpanTable.slabWord(5, 3)).isEqualTo(0x30501);
  }

  /// The header of a region with a known identity, byte for byte.
  @Test
  void headerIsThatOfFormatVersion1() {
    RecordingMemory memory = new RecordingMemory();
    memory.grow(RegionLayout.MIN_BYTES);
    RegionHeader.create(memory, new UUID(0x0102030405060708L, 0x1112131415161718L));
    byte[] copy = new byte[RegionLayout.LINE_BYTES];
    for (long at : new long[] {RegionLayout.HEADER_A, RegionLayout.HEADER_B}) {
      memory.readBytes(at, copy, 0, copy.length);
      String hex = HexFormat.of().formatHex(copy);
      assertThat(hex)
          .startsWith(
              "484f4c4446415354" // HOLDFAST
                  + "0100000004030201"
                  + "08070605040302011817161514131211"
                  + "4000000000000100"
                  + "0000040000000000"
                  + "0101000000000000"); // sequence 1, closed
      assertThat(hex.substring(120)).isEqualTo("002cc3c5");
    }
    assertThat(State.values()).containsExactly(State.OPEN, State.CLOSED);
  }
}
