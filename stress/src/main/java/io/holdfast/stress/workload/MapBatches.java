package io.holdfast.stress.workload;

import io.holdfast.Holdfast;
import io.holdfast.collections.PersistentHashMap;
import io.holdfast.stress.kill.Violation;
import java.util.HashMap;
import java.util.Map;

/// Threads store batches of entries by `putAll`, and now and then clear, each in a map of its own;
/// a batch has up to 300 entries, so some are one round trip and some are sections.
///
/// Checked: a map is as after its thread's last step or the one before, all of it (4.4 of the CSO
/// paper); after the last one, if that was acknowledged (P6).
public class MapBatches extends NumberedSteps<PersistentHashMap<String, Long>> {
  private static final int ENTRIES_MAX = 300;
  private static final int CLEARING = 23;

  @Override
  public String name() {
    return "map-batches";
  }

  @Override
  protected final PersistentHashMap<String, Long> map(Holdfast store, int thread) {
    return store.hashMap("map-" + thread, String.class, Long.class);
  }

  @Override
  protected final void make(PersistentHashMap<String, Long> map, long step) {
    if (step % CLEARING == 0) {
      map.clear();
    } else {
      store(map, batch(step));
    }
  }

  protected void store(PersistentHashMap<String, Long> map, Map<String, Long> batch) {
    map.putAll(batch);
  }

  private static Map<String, Long> batch(long step) {
    Map<String, Long> batch = new HashMap<>();
    for (long i = 0; i <= step * 7919 % ENTRIES_MAX; i++) {
      batch.put("entry " + i, step);
    }
    return batch;
  }

  private static Map<String, Long> after(long step) {
    Map<String, Long> state = new HashMap<>();
    for (long each = step - step % CLEARING + 1; each <= step; each++) {
      if (each % CLEARING != 0) {
        state.putAll(batch(each));
      }
    }
    return state;
  }

  @Override
  protected final void check(
      PersistentHashMap<String, Long> map, int thread, long step, long done) {
    map.validate();
    Map<String, Long> found = new HashMap<>(map);
    Violation.unless(
        found.equals(after(step)) || step >= done && found.equals(after(step - 1)),
        "P1 atomic: a map is as after no step: thread=%d, step=%d, steps acknowledged=%d, found=%s",
        thread,
        step,
        done,
        found);
  }
}
