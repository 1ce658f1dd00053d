package io.holdfast.stress.isolation;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// Two sections that hold back what they add to the same two keys: each builds on what the other
/// one holds back of a key (CLAIM-1).
@JCStressTest
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "Both.")
@Outcome(expect = Expect.FORBIDDEN, desc = "One is lost, in one of them.")
@State
public class LostUpdateOfASection {
  private final Pair pair = new Pair(0, 0);

  @Actor
  public void one() {
    Pair.atomically(() -> pair.addToBoth(1));
  }

  @Actor
  public void other() {
    Pair.atomically(() -> pair.addToBoth(1));
  }

  /// After both.
  @Arbiter
  public void look(I_Result result) {
    result.r1 = pair.whatBothAre();
    pair.remove();
  }
}
