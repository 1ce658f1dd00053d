package io.holdfast.stress.isolation;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// Broken: two threads add to a number by looking and storing.
@JCStressTest
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "Both.")
@Outcome(
    id = "1",
    expect = Expect.ACCEPTABLE_INTERESTING,
    desc = "One is lost: what a transaction must not let happen.")
@State
public class UpdateInTwoOperations {
  private final Pair pair = new Pair(0, 0);

  @Actor
  public void one() {
    pair.setOne(pair.one() + 1);
  }

  @Actor
  public void other() {
    pair.setOne(pair.one() + 1);
  }

  /// After both.
  @Arbiter
  public void look(I_Result result) {
    result.r1 = pair.one();
    pair.remove();
  }
}
