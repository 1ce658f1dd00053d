package io.holdfast.stress.isolation;

import java.util.SortedSet;
import java.util.TreeSet;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// The model: looking and putting are under one lock.
@JCStressTest
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "One of them.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Both, or none.")
@State
public class PhantomUnderALock {
  private final SortedSet<Integer> range = new TreeSet<>();

  @Actor
  public void one() {
    synchronized (range) {
      if (range.isEmpty()) {
        range.add(1);
      }
    }
  }

  @Actor
  public void other() {
    synchronized (range) {
      if (range.isEmpty()) {
        range.add(5);
      }
    }
  }

  /// After both.
  @Arbiter
  public void look(I_Result result) {
    result.r1 = range.size();
  }
}
