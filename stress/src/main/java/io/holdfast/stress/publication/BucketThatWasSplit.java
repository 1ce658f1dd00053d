package io.holdfast.stress.publication;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// Broken: a reader is led to a bucket of the index, which is split, so that the key moves to the
/// next one, before the reader looks there.
@JCStressTest
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "Found.")
@Outcome(
    id = "0",
    expect = Expect.ACCEPTABLE_INTERESTING,
    desc = "Not found, though it was there all the time: what the map must not show.")
@State
public class BucketThatWasSplit {
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
    result.r1 = buckets == 1 ? first : second;
  }
}
