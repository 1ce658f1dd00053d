package io.holdfast.stress.publication;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// The model: a thread that finds nothing looks whether the bucket was split meanwhile, and then
/// goes where the key is now.
@JCStressTest
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "Found.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Not found, though it was there all the time.")
@State
public class BucketThatIsLookedForAgain {
  private volatile int buckets = 1;
  private volatile int first = 1;
  private volatile int second;

  @Actor
  public void splitter() {
    second = 1;
    buckets = 2;
    first = 0;
  }

  @Actor
  public void reader(I_Result result) {
    int before;
    do {
      before = buckets;
      result.r1 = before == 1 ? first : second;
    } while (result.r1 == 0 && buckets != before);
  }
}
