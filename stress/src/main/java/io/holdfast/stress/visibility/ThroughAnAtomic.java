package io.holdfast.stress.visibility;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// A section under a monitor, which sets an atomic and goes on, as the agent weaves it.
@JCStressTest
@Outcome(id = "0, 0, [01]", expect = Expect.ACCEPTABLE, desc = "Before the release.")
@Outcome(
    id = "1, 1, 1",
    expect = Expect.ACCEPTABLE,
    desc = "Behind it: with what was before it, and synced behind the section's end.")
@Outcome(
    expect = Expect.FORBIDDEN,
    desc = "Without what was before the release, or synced while the section was open.")
@State
public class ThroughAnAtomic extends OpenSection {
  private final AtomicInteger shown = new AtomicInteger();

  @Override
  void release() {
    shown.set(1);
  }

  @Override
  int acquire() {
    return shown.get();
  }

  @Actor
  public void section() {
    inSection();
  }

  @Actor
  public void other(III_Result result) {
    look(result);
  }

  /// Behind both.
  @Arbiter
  public void giveBack() {
    forget();
  }
}
