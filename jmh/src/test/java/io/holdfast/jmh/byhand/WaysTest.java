package io.holdfast.jmh.byhand;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.jmh.count.CountingDomain;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The work is the same, whoever sees to its durability.
class WaysTest {
  private static final int BYTES = 1024;

  @TempDir private Path directory;

  private Area area(Way way, long bytes) {
    return Area.create(way, directory.resolve("area"), _ -> new CountingDomain(), bytes);
  }

  @ParameterizedTest
  @EnumSource
  void bytesAreCopied(Way way) {
    try (Area area = area(way, Copies.areaBytes(BYTES))) {
      Copies copies = Copies.in(area, way, BYTES);
      for (int i = 0; i < BYTES; i += Long.BYTES) {
        area.memory.writePlain(copies.data + i, i);
      }
      copies.copy(8, 512, 496);
      copies.copy(520, 0, 8);
      assertThat(copies.word(0)).isEqualTo(16);
      assertThat(copies.word(504)).isEqualTo(504);
      assertThat(copies.word(512)).isEqualTo(8);
      assertThat(copies.word(1000)).isEqualTo(496);
      assertThat(copies.word(1008)).isEqualTo(1008);
    }
  }

  @ParameterizedTest
  @EnumSource
  void otherRangesAreRefused(Way way) {
    try (Area area = area(way, Copies.areaBytes(BYTES))) {
      Copies copies = Copies.in(area, way, BYTES);
      for (long[] range :
          new long[][] {
            {0, 8, 16}, {0, 1016, 16}, {-8, 64, 8}, {0, 64, 0}, {0, 64, 12}, {4, 64, 8}
          }) {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> copies.copy(range[0], range[1], (int) range[2]))
            .withMessageContaining("bytes=1024");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void elementsAreInserted(Way way) {
    try (Area area = area(way, Insertions.areaBytes(3))) {
      Insertions list = Insertions.in(area, way);
      assertThat(list.content()).isEmpty();
      list.insert(4);
      list.insert(5);
      list.insert(6);
      assertThat(list.content()).containsExactly(6L, 5L, 4L);
      list.clear();
      assertThat(list.content()).isEmpty();
      list.insert(7);
      assertThat(list.content()).containsExactly(7L);
    }
  }
}
