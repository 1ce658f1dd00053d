package io.holdfast.stress.workload;

import io.holdfast.Holdfast;
import io.holdfast.collections.Due;
import io.holdfast.collections.PersistentDelayQueue;
import io.holdfast.collections.PersistentTreeMap;
import io.holdfast.stress.kill.KillTiming;
import io.holdfast.stress.kill.Violation;
import io.holdfast.stress.kill.Worker;
import io.holdfast.stress.kill.Workload;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.random.RandomGenerator;

/// Threads share a delay queue: they add elements, of which some are due in a time that never
/// comes, take what is due by itself, take it in a section that notes it, and put it off.
///
/// Checked: what was added is in the queue, or noted, or was taken, but for what a thread was about
/// when it was killed (P6, P1); and it is in one of these places only.
public class Delays implements Workload {
  /// Channels from here on tell what was taken.
  private static final int TAKEN = 64;

  private static final int YEARS = 1_000;

  protected PersistentDelayQueue<Long> queue;
  private PersistentTreeMap<Long, Integer> noted;

  // The model, in the parent.
  private final Set<Long> added = new HashSet<>();
  private final Set<Long> taken = new HashSet<>();
  private int threads;

  @Override
  public String name() {
    return "delays";
  }

  private static PersistentDelayQueue<Long> queue(Holdfast store) {
    return store.delayQueue("queue", Long.class);
  }

  private static PersistentTreeMap<Long, Integer> noted(Holdfast store) {
    return store.treeMap("noted", Long.class, Integer.class);
  }

  @Override
  public void setUp(Worker worker) {
    queue = queue(worker.store());
    noted = noted(worker.store());
  }

  @Override
  public void work(Worker worker, int thread) {
    RandomGenerator random = worker.random(thread);
    for (long element = (long) worker.life() << 40 | (long) thread << 32; ; element++) {
      queue.add(element, time(random));
      worker.acknowledge(thread, element);
      switch (random.nextInt(4)) {
        case 0 -> {
          Due<Long> due = queue.poll();
          if (due != null) {
            worker.acknowledge(TAKEN + thread, due.element());
          }
        }
        case 1 -> worker.store().atomically(() -> note(queue.poll()));
        case 2 -> worker.store().transaction(() -> note(queue.poll()));
        default -> putOff(worker.store(), random);
      }
    }
  }

  /// One of eight is due when nobody is there to take it.
  private static Instant time(RandomGenerator random) {
    long millis = random.nextLong(1_000);
    return random.nextInt(8) == 0
        ? Instant.now().plusSeconds(YEARS * 31_536_000L)
        : Instant.ofEpochMilli(millis);
  }

  private void note(Due<Long> due) {
    if (due != null) {
      noted.merge(due.element(), 1, Integer::sum);
    }
  }

  protected void putOff(Holdfast store, RandomGenerator random) {
    store.atomically(() -> addAgain(queue.poll(), random));
  }

  protected final void addAgain(Due<Long> due, RandomGenerator random) {
    if (due != null) {
      queue.add(due.element(), time(random));
    }
  }

  @Override
  public KillTiming timing() {
    return KillTiming.ACKNOWLEDGED_WORK;
  }

  @Override
  public void acknowledged(int channel, long element) {
    (channel < TAKEN ? added : taken).add(element);
    threads = Math.max(threads, channel % TAKEN + 1);
  }

  @Override
  public void check(Holdfast store, int lives) {
    PersistentDelayQueue<Long> queue = queue(store);
    queue.validate();
    Set<Long> there = new HashSet<>();
    for (Due<Long> due : queue) {
      Violation.unless(
          there.add(due.element()), "P1 atomic: an element is there twice: element=%s", due);
    }
    noted(store)
        .forEach(
            (element, times) ->
                Violation.unless(
                    times == 1 && !there.contains(element) && !taken.contains(element),
                    "P1 atomic: an element that was noted: element=%d, times=%d, in the queue=%s,"
                        + " taken=%s",
                    element,
                    times,
                    there.contains(element),
                    taken.contains(element)));
    for (long element : taken) {
      Violation.unless(
          !there.contains(element), "P6 acknowledged: taken, and there: element=%d", element);
    }
    added.removeAll(taken);
    added.removeAll(noted(store).keySet());
    added.removeAll(there);
    Violation.unless(
        added.size() <= (long) threads * lives,
        "P6 acknowledged: elements are gone: %s, threads=%d, lives=%d",
        added,
        threads,
        lives);
    taken.addAll(added);
    added.clear();
    added.addAll(there);
  }
}
