package io.holdfast.stress.publication;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// The model: it is one element ahead.
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "After the removal.")
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "Before it.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Promised, and not there.")
@State
public class IteratorThatIsAhead {
  private volatile int element = 2;

  @Actor
  public void owner() {
    element = 0;
  }

  @Actor
  public void walker(II_Result result) {
    int next = element;
    result.r1 = next == 0 ? 0 : 1;
    result.r2 = result.r1 == 0 ? 0 : next;
  }
}
