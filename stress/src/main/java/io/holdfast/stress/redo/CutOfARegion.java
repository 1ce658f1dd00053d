package io.holdfast.stress.redo;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// A region on a disk: a thread stores, and stores again, in pages of different streams, while an
/// epoch ends. No cut has the second store without the first (CUT-1), and none is lost (REDO-2).
@JCStressTest
@Outcome(id = "[013], 3", expect = Expect.ACCEPTABLE, desc = "A cut, and all in the next one.")
@Outcome(expect = Expect.FORBIDDEN, desc = "B without A, or a store that no cut has.")
@State
public class CutOfARegion {
  private final CutPool.Pair pair = CutPool.pair();

  @Actor
  public void storing() {
    pair.storeA();
    pair.storeB();
  }

  @Actor
  public void leader(II_Result result) {
    result.r1 = pair.cut();
  }

  /// After both.
  @Arbiter
  public void next(II_Result result) {
    result.r2 = pair.cut();
  }
}
