package io.holdfast.stress.visibility;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// Broken: somebody acts for good on what a section shows that has not ended.
@JCStressTest
@Outcome(id = "0, [01]", expect = Expect.ACCEPTABLE, desc = "Before the section shows anything.")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "After its end.")
@Outcome(
    id = "1, 0",
    expect = Expect.ACCEPTABLE_INTERESTING,
    desc = "Acted upon, and perhaps undone by a crash: what sync must not let happen.")
@State
public class ActedUponBeforeItsEnd {
  private volatile int shown;
  private volatile int ended;

  @Actor
  public void section() {
    shown = 1;
    ended = 1;
  }

  @Actor
  public void other(II_Result result) {
    result.r1 = shown;
    result.r2 = ended;
  }
}
