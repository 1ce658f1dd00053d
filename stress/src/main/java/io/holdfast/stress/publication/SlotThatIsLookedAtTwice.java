package io.holdfast.stress.publication;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// The model: the slot's word is looked at again after the value; it never takes the same value
/// twice (MAP-6).
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "After the removal.")
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "The value of the key.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The value of another key.")
@State
public class SlotThatIsLookedAtTwice {
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
    int found = key == 1 ? value : 0;
    result.r1 = key == 1 ? found : 0;
  }
}
