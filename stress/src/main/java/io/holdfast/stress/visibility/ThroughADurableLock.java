package io.holdfast.stress.visibility;

import io.holdfast.DurableLock;
import io.holdfast.stress.publication.Mark;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// A section under a `DurableLock`, which gives up an inner one and goes on; no agent is needed.
@JCStressTest
@Outcome(id = "0, [01]", expect = Expect.ACCEPTABLE, desc = "Before the release.")
@Outcome(
    id = "1, 1",
    expect = Expect.ACCEPTABLE,
    desc = "After it, and synced after the section's end.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Synced while the section was open.")
@State
public class ThroughADurableLock {
  private final DurableLock outer = new DurableLock();
  private final DurableLock inner = new DurableLock();
  private final Mark ended = new Mark();
  private final SectionStore.Place place = SectionStore.place();
  private int shown;

  @Actor
  public void section() {
    outer.lock();
    place.put();
    inner.lock();
    shown = 1;
    inner.unlock();
    place.putAgain(); // the section goes on for a while
    ended.set();
    outer.unlock();
  }

  @Actor
  public void other(II_Result result) {
    inner.lock();
    result.r1 = shown;
    inner.unlock();
    SectionStore.sync();
    result.r2 = ended.get();
  }

  /// After both.
  @Arbiter
  public void giveBack() {
    place.remove();
  }
}
