package io.holdfast.jmh.byhand;

import io.holdfast.core.Durability;
import io.holdfast.core.memory.Memory;
import io.holdfast.testkit.CrashExplorer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Whatever a crash interrupts, an operation by hand is there whole or not at all. Shows
/// REDO-COPY-1, REDO-COPY-2 and PUBLISH-1.
class ByHandCrashTest {
  private static final int BYTES = 512;

  /// More than a line, and not of whole ones.
  private static final int COUNT = 136;

  private static final int ELEMENTS = 8;

  @ParameterizedTest
  @EnumSource
  void copies(Durability durability) {
    CrashExplorer.of(
            "copies by hand",
            (Memory memory) ->
                Copies.in(Area.of(memory, Copies.areaBytes(BYTES)), Way.BY_HAND, BYTES))
        .surviving(durability)
        .given(ByHandCrashTest::fill)
        .state(ByHandCrashTest::words)
        .step("copy", copies -> copies.copy(0, 200, COUNT))
        .step("copy on", copies -> copies.copy(240, 40, COUNT))
        .step("copy a part of what was copied from", copies -> copies.copy(64, 376, 128))
        .check(
            (copies, _) -> {
              copies.copy(0, 304, COUNT);
              words(copies);
            })
        .explore();
  }

  private static void fill(Copies copies) {
    for (int i = 0; i < BYTES; i += Long.BYTES) {
      copies.area.memory.writePlain(copies.data + i, i + 1);
    }
    copies.area.persist(copies.data, BYTES);
  }

  private static List<Long> words(Copies copies) {
    List<Long> words = new ArrayList<>();
    for (int i = 0; i < BYTES; i += Long.BYTES) {
      words.add(copies.word(i));
    }
    return words;
  }

  @ParameterizedTest
  @EnumSource
  void insertions(Durability durability) {
    CrashExplorer.of(
            "insertions by hand",
            (Memory memory) ->
                Insertions.in(Area.of(memory, Insertions.areaBytes(ELEMENTS)), Way.BY_HAND))
        .surviving(durability)
        .state(Insertions::content)
        .step("first", list -> list.insert(7))
        .step("second", list -> list.insert(8))
        .step("third", list -> list.insert(9))
        .check(
            (list, _) -> {
              list.insert(10);
              list.content();
            })
        .explore();
  }
}
