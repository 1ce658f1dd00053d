package io.holdfast.stress.publication;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// Broken: the element is counted first, and everything is plain. A thread that sees the count may
/// find nothing, or half of an element.
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "Before the element.")
@Outcome(id = "0, 2", expect = Expect.ACCEPTABLE, desc = "In between.")
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "After the element.")
@Outcome(
    id = "[01], [01]",
    expect = Expect.ACCEPTABLE_INTERESTING,
    desc = "Counted and not there, or there in part: what the queue must not show.")
@State
public class CountedBeforeItIsThere {
  private int count;
  private int left;
  private int right;

  @Actor
  public void producer() {
    count = 1;
    left = 1;
    right = 1;
  }

  @Actor
  public void consumer(II_Result result) {
    result.r1 = count;
    result.r2 = left + right;
  }
}
