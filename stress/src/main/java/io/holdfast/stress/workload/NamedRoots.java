package io.holdfast.stress.workload;

import io.holdfast.Holdfast;
import io.holdfast.NamedRoot;
import io.holdfast.stress.kill.KillTiming;
import io.holdfast.stress.kill.Violation;
import io.holdfast.stress.kill.Worker;
import io.holdfast.stress.kill.Workload;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// Each thread creates a map, fills it in one section, renames and deletes it, and trims the file,
/// again and again.
///
/// Checked: what was acknowledged after `sync` is so (P6), what was not is so or as before (P1),
/// and no name is there that was never given. That all space of what was deleted is free, or on its
/// way, is what `verify` says after each kill.
public final class NamedRoots implements Workload {
  /// A channel that is no thread's: a life begins, and deletes what the one before has left.
  private static final int LIFE = 1_000;

  private static final int ENTRIES = 200;
  private static final int STEPS = 4;
  private static final int ROUNDS_OF_A_LIFE_MAX = 1_000_000;

  /// What each thread acknowledged last: `round * STEPS + step`.
  private final Map<Integer, Long> last = new HashMap<>();

  @Override
  public String name() {
    return "roots";
  }

  @Override
  public void setUp(Worker worker) {
    worker.acknowledge(LIFE, worker.life());
    worker.store().roots().stream()
        .map(NamedRoot::name)
        .forEach(worker.store()::delete); // of the life before
  }

  private static String made(int thread, long round) {
    return "made-%d-%d".formatted(thread, round);
  }

  private static String renamed(int thread, long round) {
    return "renamed-%d-%d".formatted(thread, round);
  }

  @Override
  public void work(Worker worker, int thread) {
    Holdfast store = worker.store();
    for (long round = (long) worker.life() * ROUNDS_OF_A_LIFE_MAX; ; round++) {
      String name = made(thread, round);
      Map<Long, Long> map = store.hashMap(name, Long.class, Long.class);
      acknowledge(worker, thread, round * STEPS);
      store.atomically(
          () -> {
            for (long i = 0; i < ENTRIES; i++) {
              map.put(i, i);
            }
          });
      acknowledge(worker, thread, round * STEPS + 1);
      store.rename(name, renamed(thread, round));
      acknowledge(worker, thread, round * STEPS + 2);
      store.delete(renamed(thread, round));
      acknowledge(worker, thread, round * STEPS + 3);
      store.trim();
    }
  }

  /// After `sync`: a section may depend on an open one of another thread, and is not durable then.
  private static void acknowledge(Worker worker, int thread, long number) {
    worker.store().sync();
    worker.acknowledge(thread, number);
  }

  @Override
  public KillTiming timing() {
    return KillTiming.ACKNOWLEDGED_WORK;
  }

  @Override
  public void acknowledged(int channel, long number) {
    if (channel == LIFE) {
      last.clear();
    } else {
      last.put(channel, number);
    }
  }

  @Override
  public void check(Holdfast store, int lives) {
    Set<String> found = new HashSet<>();
    store.roots().forEach(root -> found.add(root.name()));
    last.forEach((thread, number) -> check(store, found, thread, number / STEPS, number % STEPS));
    last.clear();
    // The others had acknowledged nothing in this life: the next one deletes what they have begun.
    found.removeIf(name -> name.startsWith("made-") || name.startsWith("renamed-"));
    Violation.unless(found.isEmpty(), "P1 atomic: names that were never given: %s", found);
  }

  private static void check(Holdfast store, Set<String> found, int thread, long round, long step) {
    boolean isMade = found.remove(made(thread, round));
    boolean isRenamed = found.remove(renamed(thread, round));
    boolean isRight =
        switch ((int) step) {
          case 0 -> isMade && !isRenamed;
          case 1 -> isMade != isRenamed;
          case 2 -> !isMade; // renamed, or deleted already
          default -> !isMade && !isRenamed;
        };
    Violation.unless(
        isRight,
        "P6 acknowledged: thread=%d, round=%d, step=%d: made=%s, renamed=%s",
        thread,
        round,
        step,
        isMade,
        isRenamed);
    if (isMade || isRenamed) {
      String name = isMade ? made(thread, round) : renamed(thread, round);
      int size = store.hashMap(name, Long.class, Long.class).size();
      Violation.unless(
          size == ENTRIES || step == 0 && size == 0,
          "P1 atomic: thread=%d, round=%d, step=%d: entries=%d",
          thread,
          round,
          step,
          size);
    }
  }
}
