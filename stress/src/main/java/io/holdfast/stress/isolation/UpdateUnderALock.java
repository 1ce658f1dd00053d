package io.holdfast.stress.isolation;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// The model: looking and storing are under one lock.
@JCStressTest
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "Both.")
@Outcome(expect = Expect.FORBIDDEN, desc = "One is lost.")
@State
public class UpdateUnderALock {
  private final Object lock = new Object();
  private int number;

  @Actor
  public void one() {
    synchronized (lock) {
      number++;
    }
  }

  @Actor
  public void other() {
    synchronized (lock) {
      number++;
    }
  }

  /// After both.
  @Arbiter
  public void look(I_Result result) {
    result.r1 = number;
  }
}
