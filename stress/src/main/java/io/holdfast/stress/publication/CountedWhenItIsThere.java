package io.holdfast.stress.publication;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// The model: the element, then the count, which is volatile; a thread that does not see the count
/// does not look (QUEUE-4).
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "Before the element.")
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "After the element, which is whole.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Counted and not there, or there in part.")
@State
public class CountedWhenItIsThere {
  private volatile int count;
  private int left;
  private int right;

  @Actor
  public void producer() {
    left = 1;
    right = 1;
    count = 1;
  }

  @Actor
  public void consumer(II_Result result) {
    result.r1 = count;
    result.r2 = result.r1 == 0 ? 0 : left + right;
  }
}
