package io.holdfast.stress.publication;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// Broken: a file that grows has its length raised before it is mapped so far.
@JCStressTest
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "Before the growth.")
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "After it.")
@Outcome(
    id = "-1",
    expect = Expect.ACCEPTABLE_INTERESTING,
    desc = "An offset that the mapping does not have: what a store must not show.")
@State
public class LengthBeforeItsMapping {
  private volatile int length = 1;
  private volatile int mapped = 1;

  @Actor
  public void grower() {
    length = 2;
    mapped = 2;
  }

  @Actor
  public void reader(I_Result result) {
    int last = length;
    result.r1 = last > mapped ? -1 : last;
  }
}
