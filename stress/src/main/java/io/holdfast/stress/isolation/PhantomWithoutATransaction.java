package io.holdfast.stress.isolation;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// Broken: two threads look whether a range of a sorted map is empty, and put a key into it if so,
/// by single operations.
@JCStressTest
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "One of them.")
@Outcome(
    id = "2",
    expect = Expect.ACCEPTABLE_INTERESTING,
    desc = "Both: what a transaction must not let happen.")
@State
public class PhantomWithoutATransaction {
  private final Pair pair = new Pair();

  @Actor
  public void one() {
    if (pair.range() == 0) {
      pair.addToRange(1);
    }
  }

  @Actor
  public void other() {
    if (pair.range() == 0) {
      pair.addToRange(5);
    }
  }

  /// After both.
  @Arbiter
  public void look(I_Result result) {
    result.r1 = pair.range();
    pair.remove();
  }
}
