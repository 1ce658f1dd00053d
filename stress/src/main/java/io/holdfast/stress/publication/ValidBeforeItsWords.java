package io.holdfast.stress.publication;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// Broken: an entry is said to be valid, and then its words are stored.
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "Before the entry.")
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "After its words.")
@Outcome(
    id = "1, [01]",
    expect = Expect.ACCEPTABLE_INTERESTING,
    desc = "Valid, and not whole: what a log must not show.")
@State
public class ValidBeforeItsWords {
  private int valid;
  private int left;
  private int right;

  @Actor
  public void appender() {
    valid = 1;
    left = 1;
    right = 1;
  }

  @Actor
  public void reader(II_Result result) {
    result.r1 = valid;
    result.r2 = result.r1 == 0 ? 0 : left + right;
  }
}
