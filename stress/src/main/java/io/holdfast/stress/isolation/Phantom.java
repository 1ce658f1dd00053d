package io.holdfast.stress.isolation;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// Transactions themselves: two that find a range of a sorted map empty, and put different keys
/// into it (T1).
@JCStressTest
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "One of them.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Both, or none.")
@State
public class Phantom {
  private final Pair pair = new Pair();

  @Actor
  public void one() {
    Pair.transaction(
        () -> {
          if (pair.range() == 0) {
            pair.addToRange(1);
          }
        });
  }

  @Actor
  public void other() {
    Pair.transaction(
        () -> {
          if (pair.range() == 0) {
            pair.addToRange(5);
          }
        });
  }

  /// After both.
  @Arbiter
  public void look(I_Result result) {
    result.r1 = pair.range();
    pair.remove();
  }
}
