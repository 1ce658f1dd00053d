package io.holdfast.stress.publication;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// Broken: what `hasNext` has seen is gone when `next` looks for it.
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "After the removal.")
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "Before it.")
@Outcome(
    id = "1, 0",
    expect = Expect.ACCEPTABLE_INTERESTING,
    desc = "Promised, and not there: what an iterator of the map must not show.")
@State
public class IteratorThatLooksTwice {
  private volatile int element = 2;

  @Actor
  public void owner() {
    element = 0;
  }

  @Actor
  public void walker(II_Result result) {
    result.r1 = element == 0 ? 0 : 1;
    result.r2 = result.r1 == 0 ? 0 : element;
  }
}
