package io.holdfast.stress.redo;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// Broken: a store can be seen, and then its record is published. Who has seen it may store in
/// turn, and have that in a cut.
@JCStressTest
@Outcome(id = "0, [01]", expect = Expect.ACCEPTABLE, desc = "Before the store.")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Seen, and in the streams.")
@Outcome(
    id = "1, 0",
    expect = Expect.ACCEPTABLE_INTERESTING,
    desc = "Seen, and not in the streams: what a cut would have the effects of, and not the cause.")
@State
public class SeenBeforeItsRecord {
  private final AtomicInteger tickets = new AtomicInteger();
  private volatile int record;
  private volatile int stored;

  @Actor
  public void storing() {
    stored = 1;
    tickets.getAndIncrement();
    record = 1;
  }

  @Actor
  public void other(II_Result result) {
    result.r1 = stored;
    result.r2 = record;
  }
}
