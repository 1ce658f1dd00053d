package io.holdfast.stress.kill;

import io.holdfast.collections.PersistentTreeMap;
import io.holdfast.stress.workload.TreeChanges;

/// A fault: changes are acknowledged before they are made.
public final class HastyTreeChanges extends TreeChanges {
  @Override
  protected void change(
      PersistentTreeMap<String, Note> tree, Worker worker, int thread, long number) {
    worker.acknowledge(thread, number);
    make(tree, thread, number);
  }
}
