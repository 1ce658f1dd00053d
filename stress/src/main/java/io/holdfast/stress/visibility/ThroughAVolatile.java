package io.holdfast.stress.visibility;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// A section under a monitor, which stores a volatile field and goes on, as the agent weaves it.
@JCStressTest
@JCStressMeta(OpenSection.class)
@State
public class ThroughAVolatile extends OpenSection {
  private volatile int shown;

  @Override
  void release() {
    shown = 1;
  }

  @Override
  int acquire() {
    return shown;
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
