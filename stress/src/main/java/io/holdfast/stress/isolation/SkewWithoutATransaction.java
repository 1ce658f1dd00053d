package io.holdfast.stress.isolation;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// Broken: two threads look at two numbers, of which one is to stay, and each takes one of them, by
/// single operations.
@JCStressTest
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "The one was taken.")
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "The other was taken.")
@Outcome(
    id = "0, 0",
    expect = Expect.ACCEPTABLE_INTERESTING,
    desc = "Both were taken: what a transaction must not let happen.")
@State
public class SkewWithoutATransaction {
  private final Pair pair = new Pair(1, 1);

  @Actor
  public void one() {
    if (pair.one() + pair.other() == 2) {
      pair.setOne(0);
    }
  }

  @Actor
  public void other() {
    if (pair.one() + pair.other() == 2) {
      pair.setOther(0);
    }
  }

  /// After both.
  @Arbiter
  public void look(II_Result result) {
    result.r1 = pair.one();
    result.r2 = pair.other();
    pair.remove();
  }
}
