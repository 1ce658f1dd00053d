package io.holdfast.collections.tree.node;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLongArray;

/// Numbers by which readers find out whether a node was changed under them (TREE-5): odd while it
/// is being changed, and another one after that. Nodes that share one are looked at again for
/// nothing.
///
/// Thread-safe; holders of one lock at a time store to the same one.
public final class Seqlocks {
  /// Numbers of different nodes lie in lines of their own.
  private static final int STRIDE = 8;

  private final AtomicLongArray numbers;
  private final int mask;

  /// @param count how many there are: a power of two
  public Seqlocks(int count) {
    this.mask = count - 1;
    this.numbers = new AtomicLongArray(STRIDE * (mask + 2));
  }

  /// The number of the seqlock that a node has.
  public int indexOf(long node) {
    return (int) (node * 0x9E3779B97F4A7C15L >>> 40) & mask;
  }

  public int count() {
    return mask + 1;
  }

  /// Adds to a sum, in the seqlock's line: whoever changes the node has that anyway.
  ///
  /// @param index of a seqlock whose lock the caller has; {@link #count} for what another lock
  ///   guards
  /// @param sum 1 to 7
  public void add(int index, int sum, long more) {
    int at = index * STRIDE + sum;
    numbers.setOpaque(at, numbers.getOpaque(at) + more);
  }

  /// What was added so far; about so much while others add.
  public long sum(int sum) {
    long all = 0;
    for (int i = 0; i <= mask + 1; i++) {
      all += numbers.getOpaque(i * STRIDE + sum);
    }
    return all;
  }

  public long read(int index) {
    return numbers.getAcquire(index * STRIDE);
  }

  /// Whether a number is still what it was, after all reads so far.
  public boolean isStill(int index, long number) {
    VarHandle.acquireFence();
    return numbers.getOpaque(index * STRIDE) == number;
  }

  public static boolean isHeld(long number) {
    return (number & 1) != 0;
  }

  /// Makes it odd, before the first store that readers must not act upon.
  public void hold(int index) {
    long now = numbers.getOpaque(index * STRIDE);
    if (!isHeld(now)) {
      numbers.setOpaque(index * STRIDE, now + 1);
      VarHandle.fullFence();
    }
  }

  /// Makes it even, if it is odd.
  public void release(int index) {
    long now = numbers.getOpaque(index * STRIDE);
    if (isHeld(now)) {
      numbers.setRelease(index * STRIDE, now + 1);
    }
  }
}
