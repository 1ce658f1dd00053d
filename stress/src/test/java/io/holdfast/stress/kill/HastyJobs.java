package io.holdfast.stress.kill;

import io.holdfast.stress.workload.LongJobs;

/// A fault: a line is told to be loaded before it is.
public final class HastyJobs extends LongJobs {
  @Override
  protected void step(Runnable load, Runnable safePoint) {
    safePoint.run();
    load.run();
  }
}
