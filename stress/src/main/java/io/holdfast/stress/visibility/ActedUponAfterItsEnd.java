package io.holdfast.stress.visibility;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// The model: a thread that has seen what a section shows waits for its end (P6).
@JCStressTest
@Outcome(id = "0, [01]", expect = Expect.ACCEPTABLE, desc = "Before the section shows anything.")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "After its end.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Acted upon, and perhaps undone by a crash.")
@State
public class ActedUponAfterItsEnd {
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
    while (result.r1 == 1 && ended == 0) {
      Thread.onSpinWait();
    }
    result.r2 = ended;
  }
}
