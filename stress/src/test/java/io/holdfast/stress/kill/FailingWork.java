package io.holdfast.stress.kill;

import io.holdfast.Holdfast;

/// A fault: a thread fails at work, as it would if its queue were damaged.
public final class FailingWork implements Workload {
  static final String SAYS = "the work can't be done";

  @Override
  public String name() {
    return "failing";
  }

  @Override
  public void setUp(Worker worker) {
    // nothing is needed
  }

  @Override
  public void work(Worker worker, int thread) {
    throw new IllegalStateException(SAYS);
  }

  @Override
  public void acknowledged(int channel, long number) {
    // nothing is
  }

  @Override
  public void check(Holdfast store, int lives) {
    // the store is as it should be
  }
}
