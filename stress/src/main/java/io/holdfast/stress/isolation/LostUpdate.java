package io.holdfast.stress.isolation;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// Transactions themselves: two that add to the same number by looking and storing (T1).
@JCStressTest
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "Both.")
@Outcome(expect = Expect.FORBIDDEN, desc = "One is lost.")
@State
public class LostUpdate {
  private final Pair pair = new Pair(0, 0);

  @Actor
  public void one() {
    Pair.transaction(() -> pair.setOne(pair.one() + 1));
  }

  @Actor
  public void other() {
    Pair.transaction(() -> pair.setOne(pair.one() + 1));
  }

  /// After both.
  @Arbiter
  public void look(I_Result result) {
    result.r1 = pair.one();
    pair.remove();
  }
}
