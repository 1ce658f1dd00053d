package io.holdfast.stress.publication;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// The model: memory that nobody finds is written plainly, and what leads there after it, with
/// release (SECTION-2).
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "Before the block.")
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "After its bytes.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Published, and not filled, or in part.")
@State
public class BlockAfterItsBytes {
  private volatile int block;
  private int left;
  private int right;

  @Actor
  public void allocator() {
    left = 1;
    right = 1;
    block = 1;
  }

  @Actor
  public void reader(II_Result result) {
    result.r1 = block;
    result.r2 = result.r1 == 0 ? 0 : left + right;
  }
}
