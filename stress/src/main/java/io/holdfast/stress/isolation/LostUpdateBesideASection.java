package io.holdfast.stress.isolation;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// A section that holds back what it adds to two keys, beside a transaction that looks and stores
/// (T1, CLAIM-1).
@JCStressTest
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "Both.")
@Outcome(expect = Expect.FORBIDDEN, desc = "One is lost, in one of them.")
@State
public class LostUpdateBesideASection {
  private final Pair pair = new Pair(0, 0);

  @Actor
  public void section() {
    Pair.atomically(() -> pair.addToBoth(1));
  }

  @Actor
  public void transaction() {
    Pair.transaction(
        () -> {
          pair.setOne(pair.one() + 1);
          pair.setOther(pair.other() + 1);
        });
  }

  /// After both.
  @Arbiter
  public void look(I_Result result) {
    result.r1 = pair.whatBothAre();
    pair.remove();
  }
}
