package io.holdfast.stress.kill;

import io.holdfast.collections.PersistentHashMap;
import io.holdfast.stress.workload.AcknowledgedChanges;

/// A fault: changes are acknowledged before they are made.
public final class HastyChanges extends AcknowledgedChanges {
  @Override
  protected void change(
      PersistentHashMap<String, Note> map, Worker worker, int thread, long number) {
    worker.acknowledge(thread, number);
    make(map, thread, number);
  }
}
