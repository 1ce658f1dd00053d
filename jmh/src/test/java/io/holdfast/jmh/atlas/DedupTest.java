package io.holdfast.jmh.atlas;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// Shows DEDUP-1, DEDUP-2.
class DedupTest extends ProgramContract<Dedup> {
  /// One bucket: chunks share it.
  @Override
  Dedup over(ProgramMemory memory) {
    return new Dedup(memory, 2, 50, 1);
  }

  /// Chunks that are new, one that comes again, and the removal of two.
  @Override
  List<Consumer<Dedup>> operations() {
    return List.of(
        dedup -> dedup.add(1),
        dedup -> dedup.add(2),
        dedup -> dedup.add(1),
        dedup -> dedup.removeFirst(0),
        dedup -> dedup.removeFirst(0));
  }

  /// Each chunk is unique or came again.
  @Override
  void checkAfter(int runs, Dedup dedup) {
    assertThat(dedup.content().get(0) + dedup.content().get(1)).isEqualTo(OPERATIONS);
    assertThat(dedup.content().getFirst()).isEqualTo(50);
  }

  @Test
  void chunksThatCameAgainAreCounted() {
    try (Dedup dedup = over(memory(ProgramMode.NONE))) {
      operations().subList(0, 3).forEach(operation -> operation.accept(dedup));
      assertThat(dedup.content()).containsExactly(2L, 1L, 2L, 1L, 1L, 2L);
    }
  }
}
