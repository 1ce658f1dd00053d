package io.holdfast.stress.kill;

import io.holdfast.stress.workload.Workers;

/// A fault: the worker's lock is no section.
public final class BareWorkers extends Workers {
  @Override
  protected void section(Worker worker, int thread, Runnable action) {
    action.run();
  }
}
