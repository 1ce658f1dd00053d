package io.holdfast.stress.workload;

import io.holdfast.Holdfast;
import io.holdfast.collections.PersistentHashMap;
import io.holdfast.stress.kill.KillTiming;
import io.holdfast.stress.kill.Violation;
import io.holdfast.stress.kill.Worker;
import io.holdfast.stress.kill.Workload;
import java.util.ArrayList;
import java.util.List;

/// Threads make steps, each in a map of its own.
///
/// A thread's steps have numbers, and a step that was cut off can be made again: it leads to the
/// same, however often it is made. Before each step the thread puts its number into a map that all
/// share: the thread of the next life makes it again.
///
/// Checked: no number is lost that was acknowledged (P6), and no map is as it can't be then.
///
/// @param <M> the map
abstract class NumberedSteps<M> implements Workload {
  private PersistentHashMap<Integer, Long> steps;
  private List<M> maps;

  // The model, in the parent.
  private final Acknowledgements acknowledged = new Acknowledgements();

  /// Opens a thread's map.
  protected abstract M map(Holdfast store, int thread);

  /// Makes a step.
  protected abstract void make(M map, long step);

  /// Checks a map.
  ///
  /// @param step the thread's last one
  /// @param done how many steps were acknowledged: if it is more than the step's number, that one
  ///   is done
  protected abstract void check(M map, int thread, long step, long done);

  private static PersistentHashMap<Integer, Long> steps(Holdfast store) {
    return store.hashMap("steps", Integer.class, Long.class);
  }

  @Override
  public final void setUp(Worker worker) {
    steps = steps(worker.store());
    List<M> opened = new ArrayList<>();
    for (int thread = 0; thread < worker.threads(); thread++) {
      opened.add(map(worker.store(), thread));
    }
    maps = opened;
  }

  @Override
  public final void work(Worker worker, int thread) {
    for (long step = steps.getOrDefault(thread, 0L); ; step++) {
      steps.put(thread, step);
      step(maps.get(thread), worker, thread, step);
    }
  }

  /// Makes a step and acknowledges it.
  protected void step(M map, Worker worker, int thread, long step) {
    make(map, step);
    // Clearings, loads and large batches are sections, and a thread that shares a lock's place with
    // an open one depends on it: without this the step is not promised (P6).
    worker.store().sync();
    worker.acknowledge(thread, step);
  }

  @Override
  public final KillTiming timing() {
    return KillTiming.ACKNOWLEDGED_WORK;
  }

  @Override
  public final void acknowledged(int channel, long number) {
    acknowledged.set(channel, number + 1);
  }

  @Override
  public final void check(Holdfast store, int lives) {
    steps(store).validate();
    for (int thread = 0; thread < acknowledged.threads(); thread++) {
      long step = steps(store).getOrDefault(thread, 0L);
      long done = acknowledged.of(thread);
      Violation.unless(
          step + 1 >= done && step <= done + lives,
          "P6 acknowledged: steps: thread=%d, found=%d, steps acknowledged=%d, lives=%d",
          thread,
          step,
          done,
          lives);
      check(map(store, thread), thread, step, done);
    }
  }
}
