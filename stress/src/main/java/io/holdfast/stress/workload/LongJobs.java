package io.holdfast.stress.workload;

import io.holdfast.Holdfast;
import io.holdfast.Job;
import io.holdfast.collections.PersistentHashMap;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.collections.PersistentTreeMap;
import io.holdfast.stress.kill.KillTiming;
import io.holdfast.stress.kill.Violation;
import io.holdfast.stress.kill.Worker;
import io.holdfast.stress.kill.Workload;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Each thread runs one job after the other, which loads lines into maps that all jobs share, and
/// into a queue of its own. The next process goes on with what this one has left.
///
/// Checked after a kill: the store holds exactly what all lines below the last cut's leave if
/// nothing is killed, and nothing of the line above (J1); what a job that returned has loaded is
/// there (P6).
public class LongJobs implements Workload {
  private static final int LINES = 30;
  private static final int COUNTS = 50;
  private static final int KEPT = 100;
  private static final Job.Options OPTIONS = new Job.Options(20, Duration.ofMillis(5));

  /// @param line of all jobs of a thread, from 0
  record Cursor(long line) {}

  private static long key(int thread, long number) {
    return ((long) thread << 32) + number;
  }

  /// What the lines are loaded into.
  private record Loaded(
      PersistentHashMap<Long, Long> counts,
      PersistentTreeMap<Long, String> texts,
      PersistentQueue<Long> lines) {
    static Loaded in(Holdfast store, int thread) {
      return new Loaded(
          store.hashMap("counts", Long.class, Long.class),
          store.treeMap("texts", Long.class, String.class),
          store.queue("lines " + thread, Long.class));
    }

    void load(int thread, long line) {
      counts.merge(key(thread, line * line % COUNTS), 1L, Long::sum);
      texts.put(key(thread, line % KEPT), "line " + line);
      lines.add(line);
      if (line >= KEPT) {
        lines.remove();
      }
    }
  }

  /// How many lines have returned, by thread, in the parent.
  private final Map<Integer, Long> returned = new HashMap<>();

  @Override
  public String name() {
    return "jobs";
  }

  /// Loads a line and tells that it is loaded.
  protected void step(Runnable load, Runnable safePoint) {
    load.run();
    safePoint.run();
  }

  @Override
  public void setUp(Worker worker) {
    for (int thread = 0; thread < worker.threads(); thread++) {
      Loaded.in(worker.store(), thread);
    }
  }

  private static String name(int thread, long round) {
    return "load " + thread + " " + round;
  }

  /// The last job of a thread that was called; -1 if none was.
  private static long lastRound(Holdfast store, int thread) {
    return store.jobs().stream()
        .map(job -> job.name().split(" "))
        .filter(words -> words[1].equals("" + thread))
        .mapToLong(words -> Long.parseLong(words[2]))
        .max()
        .orElse(-1);
  }

  @Override
  public void work(Worker worker, int thread) {
    Holdfast store = worker.store();
    Loaded loaded = Loaded.in(store, thread);
    for (long round = Math.max(0, lastRound(store, thread)); ; round++) {
      long end = (round + 1) * LINES;
      store.job(
          name(thread, round),
          Cursor.class,
          new Cursor(round * LINES),
          OPTIONS,
          (from, job) -> {
            for (long line = from.line(); line < end; line++) {
              long here = line;
              step(() -> loaded.load(thread, here), () -> job.at(new Cursor(here + 1)));
            }
          });
      worker.acknowledge(thread, end);
      store.delete(name(thread, round - 1));
    }
  }

  @Override
  public KillTiming timing() {
    return KillTiming.ACKNOWLEDGED_WORK;
  }

  @Override
  public void acknowledged(int channel, long lines) {
    returned.put(channel, lines);
  }

  @Override
  public void check(Holdfast store, int lives) {
    Map<Long, Long> counts = new HashMap<>();
    Map<Long, String> texts = new TreeMap<>();
    returned.forEach(
        (thread, lines) -> {
          long cut = cut(store, thread);
          Violation.unless(
              cut >= lines, "P6 acknowledged: lines: thread=%d, %d of %d", thread, cut, lines);
          for (long line = 0; line < cut; line++) {
            counts.merge(key(thread, line * line % COUNTS), 1L, Long::sum);
            texts.put(key(thread, line % KEPT), "line " + line);
          }
          List<Long> found = List.copyOf(Loaded.in(store, thread).lines());
          Violation.unless(
              found.size() == Math.min(KEPT, cut)
                  && (cut == 0 || found.getFirst() == cut - found.size())
                  && (cut == 0 || found.getLast() == cut - 1),
              "J1: lines in the queue: thread=%d, cut=%d, found=%s",
              thread,
              cut,
              found);
        });
    compare("counts", counts, Loaded.in(store, 0).counts());
    compare("texts", texts, Loaded.in(store, 0).texts());
  }

  /// Up to which line a thread's jobs have been cut.
  private static long cut(Holdfast store, int thread) {
    String last = name(thread, lastRound(store, thread));
    return store.jobs().stream()
        .filter(job -> job.name().equals(last))
        .mapToLong(job -> (Long) ((Map<?, ?>) job.state()).get("line"))
        .findFirst()
        .orElse(0);
  }

  /// Of the threads that are known to have worked.
  private void compare(String name, Map<Long, ?> expected, Map<Long, ?> found) {
    Map<Long, Object> theirs = new HashMap<>(found);
    theirs.keySet().removeIf(key -> !returned.containsKey((int) (key >> 32)));
    expected.forEach(
        (key, value) ->
            Violation.unless(
                value.equals(theirs.get(key)),
                "J1: %s: thread=%d, key=%d: undisturbed=%s, found=%s",
                name,
                key >> 32,
                (int) (long) key,
                value,
                theirs.get(key)));
    Violation.unless(
        theirs.size() == expected.size(),
        "J1: %s: keys: undisturbed=%d, found=%d",
        name,
        expected.size(),
        theirs.size());
  }
}
