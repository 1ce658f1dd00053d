package io.holdfast.stress.power;

import io.holdfast.Holdfast;
import io.holdfast.collections.PersistentHashMap;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.collections.PersistentTreeMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// What threads do to a store: each takes steps that are numbered from 1 on, each a transaction
/// over collections of its own and of all.
final class Steps {
  /// The sum of all steps.
  private static final long SUM = -1;

  private static final int KEYS = 50;

  private final Holdfast store;
  private final PersistentHashMap<Long, Long> last;
  private final PersistentHashMap<Long, byte[]> blobs;
  private final PersistentTreeMap<Long, Long> steps;
  private final List<PersistentQueue<Long>> queues = new ArrayList<>();

  Steps(Holdfast store, int threads) {
    this.store = store;
    this.last = store.hashMap("last", Long.class, Long.class);
    this.blobs = store.hashMap("blobs", Long.class, byte[].class);
    this.steps = store.treeMap("steps", Long.class, Long.class);
    for (int i = 0; i < threads; i++) {
      queues.add(store.queue("queue-" + i, Long.class));
    }
  }

  private static long key(long thread, long step) {
    return thread << 32 | step;
  }

  /// A step of a thread.
  void take(int thread, long step) {
    byte[] blob = new byte[(int) (step * 7_919 % 20_000)];
    blob[blob.length / 2] = (byte) step;
    store.transaction(
        () -> {
          last.put((long) thread, step);
          last.merge(SUM, 1L, Long::sum);
          blobs.put(key(thread, step % KEYS), blob);
          steps.put(key(thread, step), step);
          queues.get(thread).add(step);
        });
  }

  /// @param least steps of each thread that must be there
  /// @param most steps of each thread that may be there
  /// @return what is wrong; empty if nothing is
  String check(Map<Integer, Long> least, Map<Integer, Long> most) {
    long sum = 0;
    for (int thread = 0; thread < queues.size(); thread++) {
      long steps = last.getOrDefault((long) thread, 0L);
      sum += steps;
      if (steps < least.getOrDefault(thread, 0L) || steps > most.getOrDefault(thread, 0L)) {
        return "thread %d: %d steps, told %d, begun %d"
            .formatted(
                thread, steps, least.getOrDefault(thread, 0L), most.getOrDefault(thread, 0L));
      }
      String wrong = wrong(thread, steps);
      if (!wrong.isEmpty()) {
        return wrong;
      }
    }
    long found = last.getOrDefault(SUM, 0L);
    return found == sum ? "" : "sum of all steps: %d, of each thread: %d".formatted(found, sum);
  }

  private String wrong(int thread, long count) {
    long expected = 0;
    for (long step : queues.get(thread)) {
      if (step != ++expected) {
        return "thread %d: step %d in its queue, expected %d".formatted(thread, step, expected);
      }
    }
    int inTree = steps.subMap(key(thread, 0), key(thread + 1L, 0)).size();
    if (expected != count || inTree != count) {
      return "thread %d: %d steps, %d in its queue, %d in the tree"
          .formatted(thread, count, expected, inTree);
    }
    for (long step = Math.max(1, count - KEYS + 1); step <= count; step++) {
      byte[] blob = blobs.get(key(thread, step % KEYS));
      int length = (int) (step * 7_919 % 20_000);
      if (blob == null || blob.length != length || blob[length / 2] != (byte) step) {
        return "thread %d: what belongs to step %d is another's".formatted(thread, step);
      }
    }
    return "";
  }
}
