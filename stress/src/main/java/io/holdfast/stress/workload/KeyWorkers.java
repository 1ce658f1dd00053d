package io.holdfast.stress.workload;

import io.holdfast.Holdfast;
import io.holdfast.collections.PersistentHashMap;
import io.holdfast.collections.PersistentTreeMap;
import io.holdfast.stress.kill.Violation;
import io.holdfast.stress.kill.Worker;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/// Threads that share a map and a sorted map, and no key of them: their keys lie in the same
/// stripes and leaves, and their sections change sizes and split leaves.
///
/// Checked: what a section did is there (P6); both maps are, of each thread, as after one of its
/// sections (P1).
public class KeyWorkers extends IndependentSections {
  private static final int KEYS = 40;
  private static final int THREADS_MAX = 64;

  private PersistentHashMap<Integer, Long> map;
  private PersistentTreeMap<Integer, Long> tree;

  // The model, in the parent.
  private final Acknowledgements acknowledged = new Acknowledgements();

  @Override
  public String name() {
    return "workers-keys";
  }

  private static PersistentHashMap<Integer, Long> map(Holdfast store) {
    return store.hashMap("map", Integer.class, Long.class);
  }

  private static PersistentTreeMap<Integer, Long> tree(Holdfast store) {
    return store.treeMap("tree", Integer.class, Long.class);
  }

  @Override
  public void setUp(Worker worker) {
    map = map(worker.store());
    tree = tree(worker.store());
  }

  /// A thread's key for a number: neighbours belong to different threads.
  private static int key(int thread, long number) {
    return (int) (1 + number % KEYS) * THREADS_MAX + thread;
  }

  @Override
  void begin(int thread) {
    long number = last(map, thread) + 1;
    map.put(thread, number);
    tree.remove(key(thread, number)); // an entry goes and comes
    map.merge(key(thread, number), number, (_, latest) -> latest);
  }

  @Override
  void step(Worker worker, int thread, long ofThisLife, RandomGenerator random) {
    long number = last(map, thread) + 1;
    section(
        worker,
        thread,
        () -> {
          begin(thread);
          workFor(random);
          tree.put(key(thread, number), number);
        });
    worker.acknowledge(thread, number);
  }

  /// The number of a thread's last section, which has a key of its own.
  private static long last(PersistentHashMap<Integer, Long> map, int thread) {
    return map.getOrDefault(thread, 0L);
  }

  @Override
  public void acknowledged(int channel, long number) {
    acknowledged.set(channel, number);
  }

  @Override
  public void check(Holdfast store, int lives) {
    TreeMap<Integer, Long> expected = new TreeMap<>();
    for (int thread = 0; thread < THREADS_MAX; thread++) {
      long last = last(map(store), thread);
      long said = thread < acknowledged.threads() ? acknowledged.of(thread) : 0;
      Violation.unless(
          last >= said,
          "P6 acknowledged: sections are gone: thread=%d, found=%d, acknowledged=%d",
          thread,
          last,
          said);
      for (long number = Math.max(1, last - KEYS + 1); number <= last; number++) {
        expected.put(key(thread, number), number);
      }
    }
    Map<Integer, Long> found = new TreeMap<>(map(store));
    found.keySet().removeIf(key -> key < THREADS_MAX);
    same("map", expected, found);
    same("tree", expected, new TreeMap<>(tree(store)));
    map(store).validate();
    tree(store).validate();
  }

  private static void same(String root, Map<Integer, Long> expected, Map<Integer, Long> found) {
    Violation.unless(
        expected.equals(found),
        "P1 atomic: a map is as after no section: root=%s, expected=%s, found=%s",
        root,
        expected,
        found);
  }
}
