package io.holdfast.stress.kill;

import io.holdfast.collections.PersistentTreeMap;
import io.holdfast.stress.workload.GrowingTrees;
import java.util.concurrent.locks.LockSupport;

/// A fault: the entries of a tree that is cleared go one by one.
public final class BareClearing extends GrowingTrees {
  @Override
  protected void clear(PersistentTreeMap<String, String> tree) {
    for (String key : tree.keySet()) {
      tree.remove(key);
      LockSupport.parkNanos(1);
    }
  }
}
