package io.holdfast.stress.publication;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// Broken: an element is added and taken between the two looks that make up a size.
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "Before or after the element.")
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "In between.")
@Outcome(
    id = "-1",
    expect = Expect.ACCEPTABLE_INTERESTING,
    desc = "Less than nothing: what the queue must not show.")
@State
public class SizeByAddedFirst {
  private volatile int added;
  private volatile int gone;

  @Actor
  public void owner() {
    added = 1;
    gone = 1;
  }

  @Actor
  public void observer(I_Result result) {
    int after = added;
    int before = gone;
    result.r1 = after - before;
  }
}
