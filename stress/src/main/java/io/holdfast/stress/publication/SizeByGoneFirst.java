package io.holdfast.stress.publication;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// The model: what is gone is looked at first. The other counter only grows meanwhile.
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "Before or after the element.")
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "In between.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Less than nothing.")
@State
public class SizeByGoneFirst {
  private volatile int added;
  private volatile int gone;

  @Actor
  public void owner() {
    added = 1;
    gone = 1;
  }

  @Actor
  public void observer(I_Result result) {
    int before = gone;
    int after = added;
    result.r1 = after - before;
  }
}
