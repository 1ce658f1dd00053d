package io.holdfast.stress.kill;

import io.holdfast.collections.PersistentTreeMap;
import io.holdfast.stress.workload.GrowingTrees;

/// A fault: steps are acknowledged before they are made.
public final class HastySteps extends GrowingTrees {
  @Override
  protected void step(
      PersistentTreeMap<String, String> tree, Worker worker, int thread, long step) {
    worker.acknowledge(thread, step);
    make(tree, step);
  }
}
