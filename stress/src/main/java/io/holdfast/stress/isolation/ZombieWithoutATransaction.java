package io.holdfast.stress.isolation;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// Broken: a thread adds to two numbers, and another one looks at them, by single operations.
@JCStressTest
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "Before the other thread.")
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "After it.")
@Outcome(
    id = "-1",
    expect = Expect.ACCEPTABLE_INTERESTING,
    desc = "Half of it: what no run of a body must see.")
@State
public class ZombieWithoutATransaction {
  private final Pair pair = new Pair(1, 1);

  @Actor
  public void writer() {
    pair.addToBoth(1);
  }

  @Actor
  public void reader(I_Result result) {
    result.r1 = pair.whatBothAre();
  }

  /// After both.
  @Arbiter
  public void giveBack() {
    pair.remove();
  }
}
