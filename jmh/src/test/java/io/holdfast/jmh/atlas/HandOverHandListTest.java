package io.holdfast.jmh.atlas;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/// Shows HOH-1 and HOH-2.
class HandOverHandListTest extends ProgramContract<HandOverHandList> {
  @Override
  HandOverHandList over(ProgramMemory memory) {
    return new HandOverHandList(memory, 2, 2, false);
  }

  /// Puts, a key that is there and one before it among them, and removals.
  @Override
  List<Consumer<HandOverHandList>> operations() {
    return LongStream.of(-3, -5, -3, 3, 5)
        .mapToObj(i -> (Consumer<HandOverHandList>) list -> list.operate(i << 58))
        .toList();
  }

  @Override
  void checkAfter(int runs, HandOverHandList list) {
    assertThat(list.content()).isNotEmpty();
  }
}
