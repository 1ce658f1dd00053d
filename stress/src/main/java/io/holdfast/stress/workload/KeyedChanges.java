package io.holdfast.stress.workload;

import io.holdfast.Holdfast;
import io.holdfast.stress.kill.KillTiming;
import io.holdfast.stress.kill.Violation;
import io.holdfast.stress.kill.Worker;
import io.holdfast.stress.kill.Workload;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentMap;

/// Threads change keys of their own in one map, without a section around it, and acknowledge each
/// change when it returns. Their keys lie between each other's in order.
///
/// A thread's changes have numbers from 1 on, which go round its keys: change n is of key n modulo
/// their number. Every third removes, the others store the number with a text of varied length, by
/// one of several operations. So the number says what each key must hold after it; and since no two
/// removals follow each other, what is found tells how far the thread had come.
///
/// Checked: each thread's keys are as after some change, and that is the last acknowledged one or
/// the one that a kill has struck (P6).
///
/// @param <M> the kind of map
public abstract class KeyedChanges<M extends ConcurrentMap<String, KeyedChanges.Note>>
    implements Workload {
  private static final int REMOVAL = 3;

  private final int keys;
  private final int textMax;
  private M map;

  // The model, in the parent.
  private final Acknowledgements acknowledged = new Acknowledgements();

  /// What a key holds: which change it is of, and a text that makes entries of all sizes.
  public record Note(long number, String text) {
    static Note of(long number, int textMax) {
      int length = (int) (number * 7919 % (textMax + 1));
      return new Note(number, String.valueOf((char) ('a' + number % 26)).repeat(length));
    }
  }

  /// @param keys of a thread; not a multiple of 3
  /// @param textMax chars of a text at most
  KeyedChanges(int keys, int textMax) {
    this.keys = keys;
    this.textMax = textMax;
  }

  /// Opens the map.
  abstract M map(Holdfast store);

  /// Has the map check itself.
  ///
  /// @return how many entries it has
  abstract long validate(M found);

  /// How many entries the map says that it has.
  abstract long size(M found);

  /// Compares what is special to the kind of map.
  ///
  /// @param expected all that the map holds
  void checkFurther(M found, Map<String, Note> expected) {}

  private String key(int thread, long number) {
    return number % keys + ":" + thread;
  }

  private static int threadOf(String key) {
    return Integer.parseInt(key.substring(key.indexOf(':') + 1));
  }

  @Override
  public void setUp(Worker worker) {
    map = map(worker.store());
  }

  @Override
  public void work(Worker worker, int thread) {
    Map<String, Note> mine = new HashMap<>();
    for (int i = 0; i < keys; i++) {
      Note found = map.get(key(thread, i));
      if (found != null) {
        mine.put(key(thread, i), found);
      }
    }
    for (long number = lastChange(mine, thread) + 1; ; number++) {
      change(map, worker, thread, number);
    }
  }

  /// Makes a change and acknowledges it.
  protected void change(M changed, Worker worker, int thread, long number) {
    make(changed, thread, number);
    worker.acknowledge(thread, number);
  }

  protected final void make(M changed, int thread, long number) {
    String key = key(thread, number);
    Note note = Note.of(number, textMax);
    if (number % REMOVAL == 0) {
      changed.remove(key);
    } else {
      switch ((int) (number % 5)) {
        case 0 -> changed.compute(key, (k, before) -> note);
        case 1 -> changed.merge(key, note, (before, after) -> after);
        case 2 -> {
          if (changed.putIfAbsent(key, note) != null) {
            changed.replace(key, note);
          }
        }
        default -> changed.put(key, note);
      }
    }
  }

  /// The last change that what is found can be after: that of the highest number, or a removal that
  /// followed.
  private long lastChange(Map<String, Note> found, int thread) {
    long highest = found.values().stream().mapToLong(Note::number).max().orElse(0);
    boolean removedNext =
        (highest + 1) % REMOVAL == 0 && !found.containsKey(key(thread, highest + 1));
    return removedNext ? highest + 1 : highest;
  }

  /// What a key holds after a change.
  private Note expected(long key, long last) {
    long number = last - Math.floorMod(last - key, keys);
    return number <= 0 || number % REMOVAL == 0 ? null : Note.of(number, textMax);
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
    M found = map(store);
    long valid = validate(found);
    List<Map<String, Note>> byThread = new ArrayList<>();
    found.forEach(
        (key, note) -> {
          int thread = threadOf(key);
          while (byThread.size() <= thread) {
            byThread.add(new HashMap<>());
          }
          byThread.get(thread).put(key, note);
        });
    long walked = byThread.stream().mapToLong(Map::size).sum();
    Violation.unless(
        valid == walked && valid == size(found),
        "a map has different sizes: walked=%d, validated=%d, counted=%d",
        walked,
        valid,
        size(found));
    for (int thread = 0; thread < acknowledged.threads(); thread++) {
      check(thread < byThread.size() ? byThread.get(thread) : Map.of(), thread, lives);
    }
    Map<String, Note> all = new HashMap<>();
    byThread.forEach(all::putAll);
    checkFurther(found, all);
  }

  private void check(Map<String, Note> found, int thread, int lives) {
    long last = lastChange(found, thread);
    long said = acknowledged.of(thread);
    Violation.unless(
        last >= said && last <= said + 2L * lives, // removals of what is not there look done
        "P6 acknowledged: changes of a map: thread=%d, found=%d, acknowledged=%d, lives=%d",
        thread,
        last,
        said,
        lives);
    for (int key = 0; key < keys; key++) {
      Note expected = expected(key, last);
      Note there = found.get(key(thread, key));
      Violation.unless(
          expected == null ? there == null : expected.equals(there),
          "P6 acknowledged: a key's value: thread=%d, key=%d, last change=%d, expected=%s,"
              + " found=%s",
          thread,
          key,
          last,
          expected,
          there);
    }
    acknowledged.set(thread, last);
  }
}
