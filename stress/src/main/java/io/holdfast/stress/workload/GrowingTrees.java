package io.holdfast.stress.workload;

import io.holdfast.Holdfast;
import io.holdfast.collections.PersistentTreeMap;
import io.holdfast.stress.kill.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/// Threads grow and shrink sorted maps, each its own: by loading, by putting keys all over the
/// range, by clearing ranges, by polling, and by clearing the whole. So leaves and inner nodes
/// split and merge, tops come and go, and all threads allocate and free.
///
/// Checked: a map is as after some change of its thread's last step, a clearing being one change
/// (P1); after all of them, if the step was acknowledged (P6). And its order, as {@link
/// TreeChanges} does.
public class GrowingTrees extends NumberedSteps<PersistentTreeMap<String, String>> {
  /// Steps from one clearing to the next; after the last one there are some 100 leaves.
  private static final int CYCLE = 24;

  /// Of a step: few, since a worker that was just started may make no more before it is killed.
  private static final int CHANGES = 40;

  private static final int SPREAD = 7;

  /// What a step's keys move up by.
  private static final int KEYS = CHANGES * SPREAD;

  /// How many keys a range has that is cleared.
  private static final int RANGE = 2 * KEYS;

  /// Makes keys long, so that inner nodes have few children.
  private static final String PADDING = ".".repeat(180);

  @Override
  public String name() {
    return "tree-growing";
  }

  @Override
  protected final PersistentTreeMap<String, String> map(Holdfast store, int thread) {
    return store.treeMap("tree-" + thread, String.class, String.class);
  }

  /// What a step does.
  private enum Kind {
    CLEAR,
    LOAD,
    PUT,
    CLEAR_RANGE,
    POLL;

    static Kind of(long step) {
      if (step % CYCLE == 0) {
        return CLEAR;
      }
      return switch ((int) (step % 12)) {
        case 1, 9 -> LOAD;
        case 6, 10 -> CLEAR_RANGE;
        case 8, 11 -> POLL;
        default -> PUT;
      };
    }
  }

  private static String text(long key) {
    return 1_000_000_000 + key + PADDING;
  }

  /// After all keys of the steps before it.
  private static String loaded(long step, int number) {
    return text(step % CYCLE * KEYS + number * SPREAD);
  }

  /// Anywhere before what is loaded later.
  private static String put(long step, int number) {
    return text((step * 7_919 + number * 104_729L) % (step % CYCLE * KEYS));
  }

  /// Where a range that is cleared begins, or ends.
  private static String edge(long step, int from) {
    return text(step % CYCLE * KEYS / 3 + from);
  }

  private static String polledTo(long step) {
    return text(step % CYCLE * KEYS / 4);
  }

  private static String value(long step, String key) {
    return String.valueOf((char) ('a' + step % 26))
        .repeat((int) (step * 7 + Math.abs(key.hashCode() % 1_000)) % 150);
  }

  @Override
  protected final void make(PersistentTreeMap<String, String> tree, long step) {
    switch (Kind.of(step)) {
      case CLEAR -> tree.clear();
      case LOAD -> {
        String last = tree.isEmpty() ? "" : tree.lastKey(); // it may have been cut off
        NavigableMap<String, String> loaded = new TreeMap<>();
        changes(step, 0).forEach(change -> change.accept(loaded));
        tree.load(loaded.tailMap(last, false).entrySet().iterator());
      }
      case CLEAR_RANGE -> tree.subMap(edge(step, 0), edge(step, RANGE)).clear();
      case POLL -> {
        NavigableMap<String, String> head = tree.headMap(polledTo(step));
        while (head.pollFirstEntry() != null) {
          // goes on
        }
      }
      case PUT -> changes(step, 0).forEach(change -> change.accept(tree));
    }
  }

  /// What a step does, change by change; a crash leaves the first ones.
  ///
  /// @param entries how many there are, and can be removed
  private static List<Consumer<NavigableMap<String, String>>> changes(long step, int entries) {
    Kind kind = Kind.of(step);
    if (kind == Kind.CLEAR) {
      return List.of(Map::clear);
    }
    List<Consumer<NavigableMap<String, String>>> changes = new ArrayList<>();
    boolean removes = kind == Kind.CLEAR_RANGE || kind == Kind.POLL;
    for (int i = 0; i < (removes ? entries : CHANGES); i++) {
      int number = i;
      changes.add(
          switch (kind) {
            case LOAD -> map -> store(map, step, loaded(step, number));
            case CLEAR_RANGE ->
                map -> map.subMap(edge(step, 0), edge(step, RANGE)).pollFirstEntry();
            case POLL -> map -> map.headMap(polledTo(step)).pollFirstEntry();
            default -> map -> store(map, step, put(step, number));
          });
    }
    return changes;
  }

  private static void store(NavigableMap<String, String> map, long step, String key) {
    map.put(key, value(step, key));
  }

  private static NavigableMap<String, String> after(long step) {
    NavigableMap<String, String> state = new TreeMap<>();
    for (long each = step - Math.floorMod(step, CYCLE); each <= step; each++) {
      changes(each, state.size()).forEach(change -> change.accept(state));
    }
    return state;
  }

  @Override
  protected final void check(
      PersistentTreeMap<String, String> tree, int thread, long step, long done) {
    long valid = tree.validate();
    NavigableMap<String, String> found = new TreeMap<>(tree);
    Violation.unless(
        valid == found.size() && valid == tree.size(),
        "a sorted map has different sizes: walked=%d, validated=%d, counted=%d",
        found.size(),
        valid,
        tree.size());
    Violation.unless(
        step < done ? found.equals(after(step)) : isWithin(step, found),
        "P1 atomic: a sorted map is as after no change: thread=%d, step=%d (%s), steps"
            + " acknowledged=%d, found=%s",
        thread,
        step,
        Kind.of(step),
        done,
        found);
    TreeChanges.checkOrder(tree, found);
  }

  private static boolean isWithin(long step, NavigableMap<String, String> found) {
    NavigableMap<String, String> state = step == 0 ? new TreeMap<>() : after(step - 1);
    boolean same = state.equals(found);
    for (Consumer<NavigableMap<String, String>> change : changes(step, state.size())) {
      change.accept(state);
      same |= state.equals(found);
    }
    return same;
  }
}
