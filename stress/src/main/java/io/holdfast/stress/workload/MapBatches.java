package io.holdfast.stress.workload;

import io.holdfast.Holdfast;
import io.holdfast.collections.PersistentHashMap;
import io.holdfast.stress.kill.KillTiming;
import io.holdfast.stress.kill.Violation;
import io.holdfast.stress.kill.Worker;
import io.holdfast.stress.kill.Workload;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Threads store batches of entries by `putAll`, and now and then clear, each in a map of its own;
/// a batch has up to 300 entries, so some are one round trip and some are sections.
///
/// A thread's steps have numbers, and a step is the same whenever it is made. Before each one the
/// thread puts its number into a map that all share: whoever comes next makes it again.
///
/// Checked: a map is as after its thread's last step or the one before, all of it (4.4 of the CSO
/// paper); after the last one, if that was acknowledged (P6).
public class MapBatches implements Workload {
  private static final int ENTRIES_MAX = 300;
  private static final int CLEARING = 23;

  private PersistentHashMap<Integer, Long> steps;
  private List<PersistentHashMap<String, Long>> maps;

  // The model, in the parent.
  private final Acknowledgements acknowledged = new Acknowledgements();

  @Override
  public String name() {
    return "map-batches";
  }

  private static PersistentHashMap<Integer, Long> steps(Holdfast store) {
    return store.hashMap("steps", Integer.class, Long.class);
  }

  private static PersistentHashMap<String, Long> map(Holdfast store, int thread) {
    return store.hashMap("map-" + thread, String.class, Long.class);
  }

  @Override
  public void setUp(Worker worker) {
    steps = steps(worker.store());
    List<PersistentHashMap<String, Long>> opened = new ArrayList<>();
    for (int thread = 0; thread < worker.threads(); thread++) {
      opened.add(map(worker.store(), thread));
    }
    maps = opened;
  }

  @Override
  public void work(Worker worker, int thread) {
    for (long step = Math.max(1, steps.getOrDefault(thread, 1L)); ; step++) {
      steps.put(thread, step);
      if (step % CLEARING == 0) {
        maps.get(thread).clear();
      } else {
        store(maps.get(thread), batch(step));
      }
      // Large batches and clearings are sections; a thread that shares a lock's place with one that
      // is open depends on it: without this the step is not promised (P6).
      worker.store().sync();
      worker.acknowledge(thread, step);
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
  public KillTiming timing() {
    return KillTiming.ACKNOWLEDGED_WORK;
  }

  @Override
  public void acknowledged(int channel, long number) {
    acknowledged.set(channel, number);
  }

  @Override
  public void check(Holdfast store, int lives) {
    steps(store).validate();
    for (int thread = 0; thread < acknowledged.threads(); thread++) {
      long step = steps(store).getOrDefault(thread, 0L);
      long said = acknowledged.of(thread);
      Violation.unless(
          step >= said && step <= said + lives,
          "P6 acknowledged: steps: thread=%d, found=%d, acknowledged=%d, lives=%d",
          thread,
          step,
          said,
          lives);
      PersistentHashMap<String, Long> map = map(store, thread);
      map.validate();
      Map<String, Long> found = new HashMap<>(map);
      Violation.unless(
          found.equals(after(step)) || step > said && found.equals(after(step - 1)),
          "P1 atomic: a map is as after no step: thread=%d, step=%d, acknowledged=%d, found=%s",
          thread,
          step,
          said,
          found);
    }
  }
}
