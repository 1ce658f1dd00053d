package io.holdfast.stress.publication;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// Broken: a thread that uses something looks first whether it is closed; it is closed, and let go,
/// in between.
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "Refused.")
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "Used.")
@Outcome(
    id = "-1",
    expect = Expect.ACCEPTABLE_INTERESTING,
    desc = "Used when it was gone: what a store must not show.")
@State
public class UsedAfterItsEnd {
  private volatile boolean closed;
  private volatile int there = 1;

  @Actor
  public void closer() {
    closed = true;
    there = -1;
  }

  @Actor
  public void user(I_Result result) {
    result.r1 = closed ? 0 : there;
  }
}
