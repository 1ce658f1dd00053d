package io.holdfast.stress.publication;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// The model: after what was read, the sequence of what led there is looked at again; it is raised
/// before a block can be used again (TREE-5).
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "After the removal.")
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "The value of the key.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The value of another key.")
@State
public class LeafThatIsLookedForAgain {
  private volatile int sequence;
  private volatile int child = 1;
  private volatile int value = 1;

  @Actor
  public void owner() {
    sequence = 1;
    child = 0;
    sequence = 2;
    value = 2;
  }

  @Actor
  public void reader(I_Result result) {
    int before;
    do {
      before = sequence;
      result.r1 = child == 1 ? value : 0;
    } while (before % 2 != 0 || sequence != before);
  }
}
