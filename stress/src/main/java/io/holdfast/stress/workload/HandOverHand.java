package io.holdfast.stress.workload;

import io.holdfast.DurableLock;
import io.holdfast.Holdfast;
import io.holdfast.collections.PersistentHashMap;
import io.holdfast.core.Regions;
import io.holdfast.stress.kill.KillTiming;
import io.holdfast.stress.kill.Violation;
import io.holdfast.stress.kill.Worker;
import io.holdfast.stress.kill.Workload;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/// Threads walk hand over hand along a row of accounts, each with a lock, and take money from one
/// to the next, under the locks of both; each release ends a section. A step is acknowledged when
/// its lock is given up, in the middle of the walk.
///
/// Checked after a kill: the sum of all accounts is 0 (R1), and each step that was acknowledged is
/// there, though its thread held a lock all the time (R5).
public class HandOverHand implements Workload {
  private static final int ACCOUNTS = 12;

  private final List<DurableLock> locks =
      Stream.generate(DurableLock::new).limit(ACCOUNTS).toList();
  private PersistentHashMap<Integer, Long> accounts;
  private PersistentHashMap<Integer, Long> steps;

  // The model, in the parent.
  private final Map<Integer, Long> acknowledged = new HashMap<>();

  @Override
  public String name() {
    return "hand-over-hand";
  }

  @Override
  public Holdfast.Options options(Holdfast.Options options) {
    return options.regions(Regions.SYNCHRONIZATION_FREE);
  }

  private void open(Holdfast store) {
    accounts = store.hashMap("accounts", Integer.class, Long.class);
    steps = store.hashMap("steps", Integer.class, Long.class);
  }

  @Override
  public void setUp(Worker worker) {
    open(worker.store());
  }

  @Override
  public void work(Worker worker, int thread) {
    RandomGenerator random = worker.random(thread);
    while (true) {
      locks.getFirst().lock();
      for (int at = 0; at + 1 < ACCOUNTS; at++) {
        locks.get(at + 1).lock();
        long step = steps.merge(thread, 1L, Long::sum);
        take(at, 1 + random.nextInt(1_000));
        locks.get(at).unlock();
        worker.acknowledge(thread, step);
      }
      locks.getLast().unlock();
    }
  }

  /// Takes money from one account to the next.
  protected void take(int at, long cents) {
    add(at, -cents);
    add(at + 1, cents);
  }

  protected final void add(int account, long cents) {
    accounts.merge(account, cents, Long::sum);
  }

  @Override
  public KillTiming timing() {
    return KillTiming.ACKNOWLEDGED_WORK;
  }

  @Override
  public void acknowledged(int channel, long step) {
    acknowledged.merge(channel, step, Math::max);
  }

  @Override
  public void check(Holdfast store, int lives) {
    open(store);
    long sum = accounts.values().stream().mapToLong(each -> each).sum();
    Violation.unless(sum == 0, "R1 atomic: the sum of all accounts: found=%d, expected=0", sum);
    acknowledged.forEach(
        (thread, step) -> {
          long found = steps.getOrDefault(thread, 0L);
          Violation.unless(
              found >= step,
              "R5 durable when released: a step is gone: thread=%d, found=%d, acknowledged=%d",
              thread,
              found,
              step);
        });
  }
}
