package io.holdfast.stress.publication;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// The model: the mapping first, then the length; and nobody takes an offset from anywhere else
/// than from what the length covers (MAPPING-2).
@JCStressTest
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "Before the growth.")
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "After it.")
@Outcome(expect = Expect.FORBIDDEN, desc = "An offset that the mapping does not have.")
@State
public class MappingBeforeItsLength {
  private volatile int length = 1;
  private volatile int mapped = 1;

  @Actor
  public void grower() {
    mapped = 2;
    length = 2;
  }

  @Actor
  public void reader(I_Result result) {
    int last = length;
    result.r1 = last > mapped ? -1 : last;
  }
}
