package io.holdfast.stress.kill;

import io.holdfast.collections.PersistentHashMap;
import io.holdfast.stress.workload.MapBatches;
import java.util.Map;

/// A fault: the entries of a batch one by one.
public final class BareBatches extends MapBatches {
  @Override
  protected void store(PersistentHashMap<String, Long> map, Map<String, Long> batch) {
    batch.forEach(map::put);
  }
}
