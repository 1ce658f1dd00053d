package io.holdfast.stress.publication;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// Broken: the hints say that there is an entry, before it is durable, and who searches the leaf
/// goes by them.
@JCStressTest
@Outcome(id = "0, [01]", expect = Expect.ACCEPTABLE, desc = "Before the entry.")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "After its fence.")
@Outcome(
    id = "1, 0",
    expect = Expect.ACCEPTABLE_INTERESTING,
    desc = "Found, and not yet durable: what the tree must not show.")
@State
public class EntryBeforeItsFence {
  private volatile int live;
  private volatile int durable;

  @Actor
  public void writer() {
    live = 1;
    durable = 1;
  }

  @Actor
  public void reader(II_Result result) {
    result.r1 = live;
    result.r2 = durable;
  }
}
