package io.holdfast.stress.isolation;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// The model: who looks at both, and takes one, does so under a lock of both.
@JCStressTest
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "The one was taken.")
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "The other was taken.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Both were taken, or none.")
@State
public class SkewUnderALock {
  private final Object lock = new Object();
  private int one = 1;
  private int other = 1;

  @Actor
  public void one() {
    synchronized (lock) {
      if (one + other == 2) {
        one = 0;
      }
    }
  }

  @Actor
  public void other() {
    synchronized (lock) {
      if (one + other == 2) {
        other = 0;
      }
    }
  }

  /// After both.
  @Arbiter
  public void look(II_Result result) {
    result.r1 = one;
    result.r2 = other;
  }
}
