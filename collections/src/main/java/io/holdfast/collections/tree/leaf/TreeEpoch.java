package io.holdfast.collections.tree.leaf;

import static io.holdfast.collections.tree.node.TreeLayout.ROOT_OPENINGS;

import io.holdfast.core.memory.Memory;
import io.holdfast.core.section.VolatileState;
import java.util.concurrent.ThreadLocalRandom;

/// Which hints of a tree count (TREE-3). There is a new epoch with each opening, and after each
/// section that changed the tree and was rolled back: its lines are as before then, and hints,
/// which are not logged, are not.
///
/// **TREE-11** An opening's epoch is a random number, so a file can't hold hints of an epoch that
/// is still to come: whatever its leaves say is made anew from their records. Test:
/// TreeEpochTest.tree11ForgedHintsAreNotBelieved.
///
/// A thread that has read without a lock, and then made sure of the section that stored what it
/// read, looks whether the epoch is still the same, and if not, reads again (as QUEUE-5).
///
/// Thread-safe.
public final class TreeEpoch implements VolatileState {
  private final Memory memory;
  private final long root;
  private final TreeCount count;
  private volatile long current;

  /// Begins one.
  ///
  /// @param count is forgotten with each further one
  public TreeEpoch(Memory memory, long root, TreeCount count) {
    this.memory = memory;
    this.root = root;
    this.count = count;
    begin(ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE / 2)); // others are behind it
  }

  private void begin(long next) {
    memory.writePlain(root + ROOT_OPENINGS, next);
    current = next;
  }

  public long current() {
    return current;
  }

  @Override
  public synchronized void restore() {
    count.forget();
    begin(current + 1);
  }
}
