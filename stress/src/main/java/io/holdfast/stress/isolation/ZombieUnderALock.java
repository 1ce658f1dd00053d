package io.holdfast.stress.isolation;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// The model: both are changed, and looked at, under one lock.
@JCStressTest
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "Before the other thread.")
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "After it.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Half of it.")
@State
public class ZombieUnderALock {
  private final Object lock = new Object();
  private int one = 1;
  private int other = 1;

  @Actor
  public void writer() {
    synchronized (lock) {
      one++;
      other++;
    }
  }

  @Actor
  public void reader(I_Result result) {
    synchronized (lock) {
      result.r1 = one == other ? one : -1;
    }
  }
}
