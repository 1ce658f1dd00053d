package io.holdfast.stress.publication;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// The model: the leaf's sequence is odd from before the hints to after the fence, and who finds it
/// odd, or changed, has found nothing yet (TREE-5).
@JCStressTest
@Outcome(id = "0, [01]", expect = Expect.ACCEPTABLE, desc = "Before the entry, or look again.")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "After its fence.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Found, and not yet durable.")
@State
public class EntryAfterItsFence {
  private volatile int sequence;
  private volatile int live;
  private volatile int durable;

  @Actor
  public void writer() {
    sequence = 1;
    live = 1;
    durable = 1;
    sequence = 2;
  }

  @Actor
  public void reader(II_Result result) {
    int before = sequence;
    int found = live;
    boolean counts = before % 2 == 0 && sequence == before;
    result.r1 = counts ? found : 0;
    result.r2 = durable;
  }
}
