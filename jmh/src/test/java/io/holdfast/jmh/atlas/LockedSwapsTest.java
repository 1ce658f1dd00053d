package io.holdfast.jmh.atlas;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/// Shows SWAP-1.
class LockedSwapsTest extends ProgramContract<LockedSwaps> {
  @Override
  LockedSwaps over(ProgramMemory memory) {
    return new LockedSwaps(memory, 2, 2);
  }

  @Override
  List<Consumer<LockedSwaps>> operations() {
    return LongStream.of(3, -5, 3)
        .mapToObj(i -> (Consumer<LockedSwaps>) swaps -> swaps.operate(i * 0x9E3779B97F4A7C15L))
        .toList();
  }

  @Override
  void checkAfter(int runs, LockedSwaps swaps) {
    assertThat(swaps.content()).isNotEmpty();
  }
}
