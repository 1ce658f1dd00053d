package io.holdfast.stress.publication;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// Broken: a value of two parts is replaced while somebody reads it.
@JCStressTest
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "The former value.")
@Outcome(id = "2, 2", expect = Expect.ACCEPTABLE, desc = "The new one.")
@Outcome(
    id = "1, 2|2, 1",
    expect = Expect.ACCEPTABLE_INTERESTING,
    desc = "Half of each: what the map must not show.")
@State
public class ValueWithoutAVersion {
  private int left = 1;
  private int right = 1;

  @Actor
  public void writer() {
    left = 2;
    right = 2;
  }

  @Actor
  public void reader(II_Result result) {
    result.r1 = left;
    result.r2 = right;
  }
}
