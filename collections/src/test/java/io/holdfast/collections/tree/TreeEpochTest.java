package io.holdfast.collections.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.collections.tree.leaf.TreeCount;
import io.holdfast.collections.tree.leaf.TreeEpoch;
import io.holdfast.collections.tree.node.Seqlocks;
import io.holdfast.collections.tree.node.TreeLayout;
import io.holdfast.core.fixture.Intruder;
import io.holdfast.core.memory.Memory;
import io.holdfast.testkit.RecordingMemory;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class TreeEpochTest {
  /// A tree's root, as far as its epochs are there.
  private record Root(TreeEpoch epoch, long first) implements AutoCloseable {
    static Root in(Memory memory) {
      memory.grow(TreeLayout.ROOT_BYTES);
      TreeEpoch epoch = new TreeEpoch(memory, 0, new TreeCount(new Seqlocks(1)));
      return new Root(epoch, epoch.current());
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
        new Intruder<Root>(Root::in, root -> root.epoch().current() - root.first())
            .inAnyOrder(rollback, rollback);
    assertThat(met).isPositive();
  }

  /// Hints that say that a leaf is empty, of this epoch and those that are to be expected next.
  @Test
  void tree11ForgedHintsAreNotBelieved() {
    RecordingMemory memory = new RecordingMemory();
    try (TreeRegion store = TreeRegion.open(memory).create()) {
      store.fill(0, 20);
      long root = store.region().roots().all().iterator().next().firstBlock();
      long leaf = memory.readPlain(root + TreeLayout.ROOT_TOP) & ~TreeLayout.HEIGHT_MASK;
      for (int ahead = 0; ahead < 3; ahead++) {
        memory.writePlain(leaf + TreeLayout.LIVE, 0);
        memory.writePlain(
            leaf + TreeLayout.EPOCH, memory.readPlain(root + TreeLayout.ROOT_OPENINGS) + ahead);
        store.openAgain();
        assertThat(store.get(store.key(7))).as("%d ahead", ahead).isEqualTo("v0000007");
        assertThat(store.tree().validate()).isEqualTo(20);
      }
      for (long end : new long[] {-1, -2, Long.MAX_VALUE}) { // the next one would be 0, or less
        memory.writePlain(root + TreeLayout.ROOT_OPENINGS, end);
        memory.writePlain(leaf + TreeLayout.LIVE, 0);
        memory.writePlain(leaf + TreeLayout.EPOCH, end + 1);
        store.openAgain();
        assertThat(store.get(store.key(7))).as("OPENINGS=%d", end).isEqualTo("v0000007");
      }
    }
  }
}
