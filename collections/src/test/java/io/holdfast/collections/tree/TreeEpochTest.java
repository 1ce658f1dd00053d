package io.holdfast.collections.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.explorer.Intruder;
import io.holdfast.core.memory.Memory;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class TreeEpochTest {
  /// A tree's root, as far as its epochs are there.
  private record Root(TreeEpoch epoch) implements AutoCloseable {
    static Root in(Memory memory) {
      memory.grow(TreeLayout.ROOT_BYTES);
      return new Root(new TreeEpoch(memory, 0, new TreeCount()));
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }

  /// Two sections that are rolled back at once begin two epochs, or the hints of one would count.
  @Test
  void everyRollbackBeginsOne() throws Exception {
    Function<Root, Object> rollback =
        root -> {
          root.epoch().restore();
          return "restored";
        };
    int met =
        new Intruder<Root>(Root::in, root -> root.epoch().current()).inAnyOrder(rollback, rollback);
    assertThat(met).isPositive();
  }
}
