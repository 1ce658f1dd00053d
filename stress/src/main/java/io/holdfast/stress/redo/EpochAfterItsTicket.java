package io.holdfast.stress.redo;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// The model: ticket, then epoch, then record; and the leader raises the epoch before it reads the
/// tickets (REDO-2).
@JCStressTest
@Outcome(id = "[013], 3", expect = Expect.ACCEPTABLE, desc = "A cut, and all in the next one.")
@Outcome(expect = Expect.FORBIDDEN, desc = "B without A, or a store that no cut has.")
@State
public class EpochAfterItsTicket {
  private final Streams streams = new Streams();

  @Actor
  public void storing() {
    streams.store(Streams.A);
    streams.store(Streams.B);
  }

  @Actor
  public void leader(II_Result result) {
    result.r1 = streams.gather();
  }

  /// After both: the next cut, with what the first one has.
  @Arbiter
  public void next(II_Result result) {
    result.r2 = result.r1 | streams.gather();
  }
}
