package io.holdfast.stress.redo;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// A region on a disk: a store that was seen is in the next cut (REDO-1), and so is what its
/// observer stored after that (CUT-1).
@JCStressTest
@Outcome(id = "0, [01]", expect = Expect.ACCEPTABLE, desc = "Before the store.")
@Outcome(id = "1, 3", expect = Expect.ACCEPTABLE, desc = "Seen, and in the cut, as what followed.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Seen, and not in a cut that has what followed.")
@State
public class SeenInARegion {
  private final CutPool.Pair pair = CutPool.pair();

  @Actor
  public void storing() {
    pair.storePageA();
  }

  @Actor
  public void other(II_Result result) {
    if (pair.seesA()) {
      result.r1 = 1;
      pair.storeB();
    }
    result.r2 = pair.cut();
  }
}
