package io.holdfast.stress.redo;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// Broken: who stores reads the epoch, and then takes its ticket: the leader has passed by already.
@JCStressTest
@Outcome(id = "[013], 3", expect = Expect.ACCEPTABLE, desc = "A cut, and all in the next one.")
@Outcome(
    expect = Expect.ACCEPTABLE_INTERESTING,
    desc = "B without A, which was before it; or a store that no cut has.")
@State
public class EpochBeforeItsTicket {
  private final Streams streams = new Streams();

  @Actor
  public void storing() {
    store(Streams.A);
    store(Streams.B);
  }

  private void store(int stream) {
    int epoch = streams.epoch();
    streams.take(stream);
    streams.publish(stream, epoch);
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
