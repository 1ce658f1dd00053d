package io.holdfast.stress.visibility;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// A section under a monitor, which gives up a `ReentrantLock` and goes on, as the agent weaves it.
@JCStressTest
@JCStressMeta(OpenSection.class)
@State
public class ThroughReentrantLock extends OpenSection {
  private final Lock inner = new ReentrantLock();
  private int shown;

  @Override
  void release() {
    inner.lock();
    try {
      shown = 1;
    } finally {
      inner.unlock();
    }
  }

  @Override
  int acquire() {
    inner.lock();
    try {
      return shown;
    } finally {
      inner.unlock();
    }
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
