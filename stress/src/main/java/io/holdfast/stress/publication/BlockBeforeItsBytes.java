package io.holdfast.stress.publication;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// Broken: a block of the heap is published and then filled.
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "Before the block.")
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "After its bytes.")
@Outcome(
    id = "1, [01]",
    expect = Expect.ACCEPTABLE_INTERESTING,
    desc = "Published, and not filled, or in part: what the heap's blocks must not show.")
@State
public class BlockBeforeItsBytes {
  private int block;
  private int left;
  private int right;

  @Actor
  public void allocator() {
    block = 1;
    left = 1;
    right = 1;
  }

  @Actor
  public void reader(II_Result result) {
    result.r1 = block;
    result.r2 = result.r1 == 0 ? 0 : left + right;
  }
}
