package io.holdfast.jmh.atlas;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What every program of one lock keeps to: {@link ProgramContract}, and it has work to do.
abstract class OneLockContract<P extends OneLock> extends ProgramContract<P> {
  /// Few: the explorer tries every crash in each. The last is the first once more, which takes back
  /// what that did.
  @Override
  List<Consumer<P>> operations() {
    return LongStream.of(3, -5, 3)
        .mapToObj(i -> (Consumer<P>) program -> program.operate(i * 0x9E3779B97F4A7C15L))
        .toList();
  }

  @Override
  final void checkAfter(int runs, P program) {
    assertThat(program.content()).isNotEmpty();
  }

  @Test
  final void aLongRunKeepsTheInvariantAndLeavesNoBlock() {
    try (P program = over(memory(ProgramMode.PROCESS_CRASH))) {
      for (int run = 0; run < 20; run++) {
        program.run(0, OPERATIONS);
        program.content();
        program.clear();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"NONE", "PROCESS_CRASH"})
  final void operationsChangeTheContent(ProgramMode mode) {
    try (P program = over(memory(mode))) {
      List<Long> before = program.content();
      program.run(0, 7);
      assertThat(program.content()).isNotEqualTo(before);
    }
  }
}
