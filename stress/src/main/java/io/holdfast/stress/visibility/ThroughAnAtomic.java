package io.holdfast.stress.visibility;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// A section under a monitor, which sets an atomic and goes on, as the agent weaves it.
@JCStressTest
@JCStressMeta(OpenSection.class)
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

  /// After both.
  @Arbiter
  public void giveBack() {
    forget();
  }
}
