package io.holdfast.stress.publication;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// The model: a thread that uses it holds it, or is refused, by one step; it is let go when nobody
/// holds it.
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "Refused.")
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "Used.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Used when it was gone.")
@State
public class UsedWhileItIsHeld {
  private static final int CLOSED = -1;

  /// How many hold it.
  private final AtomicInteger holders = new AtomicInteger();

  private volatile int there = 1;

  @Actor
  public void closer() {
    while (!holders.compareAndSet(0, CLOSED)) {
      Thread.onSpinWait();
    }
    there = -1;
  }

  @Actor
  public void user(I_Result result) {
    if (holders.compareAndSet(0, 1)) {
      result.r1 = there;
      holders.set(0);
    }
  }
}
