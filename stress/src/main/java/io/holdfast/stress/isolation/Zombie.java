package io.holdfast.stress.isolation;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// Transactions themselves: no run of a body sees half of another transaction, not even one that is
/// repeated for what it saw (T2).
@JCStressTest
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "Before the other thread.")
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "After it.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Half of it, in some run.")
@State
public class Zombie {
  private final Pair pair = new Pair(1, 1);

  @Actor
  public void transaction() {
    Pair.transaction(() -> pair.addToBoth(1));
  }

  @Actor
  public void reader(I_Result result) {
    Pair.transaction(
        () -> {
          int seen = pair.whatBothAre();
          result.r1 = result.r1 == -1 ? -1 : seen; // of all runs
        });
  }

  /// After both.
  @Arbiter
  public void giveBack() {
    pair.remove();
  }
}
