package io.holdfast.stress.isolation;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// Transactions themselves: two that read the same two keys, of a map and of a sorted map, and
/// store different ones (T1).
@JCStressTest
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "The one was taken.")
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "The other was taken.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Both were taken, or none.")
@State
public class WriteSkew {
  private final Pair pair = new Pair(1, 1);

  @Actor
  public void one() {
    Pair.transaction(
        () -> {
          if (pair.one() + pair.other() == 2) {
            pair.setOne(0);
          }
        });
  }

  @Actor
  public void other() {
    Pair.transaction(
        () -> {
          if (pair.one() + pair.other() == 2) {
            pair.setOther(0);
          }
        });
  }

  /// After both.
  @Arbiter
  public void look(II_Result result) {
    result.r1 = pair.one();
    result.r2 = pair.other();
    pair.remove();
  }
}
