package io.holdfast.jmh.atlas;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

/// Shows ARRAY-1.
class ArrayStoresTest extends ProgramContract<ArrayStores> {
  private static final int LENGTH = 3;

  @Override
  ArrayStores over(ProgramMemory memory) {
    return new ArrayStores(memory, LENGTH);
  }

  @Override
  List<Consumer<ArrayStores>> operations() {
    return Collections.nCopies(2 * LENGTH + 1, ArrayStores::storeNext);
  }

  @Override
  void checkAfter(int runs, ArrayStores array) {
    long stores = (long) runs * OPERATIONS / LENGTH;
    assertThat(array.content()).isEqualTo(Collections.nCopies(LENGTH, stores));
  }
}
