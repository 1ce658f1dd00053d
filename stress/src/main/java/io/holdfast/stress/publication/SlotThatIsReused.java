package io.holdfast.stress.publication;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// Broken: somebody has found the slot of a key, which is freed and holds another key before the
/// value is read.
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "After the removal.")
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "The value of the key.")
@Outcome(
    id = "2",
    expect = Expect.ACCEPTABLE_INTERESTING,
    desc = "The value of another key: what the map must not show.")
@State
public class SlotThatIsReused {
  private volatile int key = 1;
  private volatile int value = 1;

  @Actor
  public void owner() {
    key = 0;
    value = 2;
    key = 2;
  }

  @Actor
  public void reader(I_Result result) {
    result.r1 = key == 1 ? value : 0;
  }
}
