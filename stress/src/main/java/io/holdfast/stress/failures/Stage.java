package io.holdfast.stress.failures;

import io.holdfast.DurableLock;
import io.holdfast.Holdfast;
import io.holdfast.collections.PersistentHashMap;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.collections.PersistentTreeMap;
import java.nio.file.Path;

/// A store under trial with its collections, and how far the operation has come.
final class Stage {
  private static final int LATER_KEYS = 40;

  private final Path file;
  private final Runnable listener;

  Holdfast store;
  PersistentHashMap<Long, String> map;
  PersistentTreeMap<Long, String> tree;
  PersistentQueue<String> queue;
  final DurableLock outer = new DurableLock();
  final DurableLock inner = new DurableLock();

  private int passed;
  private int acknowledged;
  private int sectionBegan = -1;
  private boolean inSection;

  /// @param listener told of each step that is done
  Stage(Path file, Runnable listener) {
    this.file = file;
    this.listener = listener;
  }

  Path file() {
    return file;
  }

  void open() {
    store = Holdfast.open(file);
    Trap.outside(this::openCollections);
  }

  private void openCollections() {
    map = store.hashMap("map", Long.class, String.class);
    tree = store.treeMap("tree", Long.class, String.class);
    queue = store.queue("queue", String.class);
  }

  /// After each step of the operation; a step is done whole or not at all.
  void did() {
    Trap.outside(
        () -> {
          passed++;
          if (!inSection) {
            acknowledged = passed;
          }
          listener.run();
        });
  }

  /// From here on to {@link #sectionEnds} the steps are of one section.
  void sectionBegins() {
    inSection = true;
    sectionBegan = passed;
  }

  void sectionEnds() {
    inSection = false;
    acknowledged = passed;
  }

  /// A section of several steps.
  void atomically(Runnable steps) {
    sectionBegins();
    store.atomically(steps);
    sectionEnds();
  }

  int passed() {
    return passed;
  }

  int acknowledged() {
    return acknowledged;
  }

  /// The step that an unfinished section began with; -1 if there is none.
  int sectionBegan() {
    return inSection ? sectionBegan : -1;
  }

  /// Uses all collections, as the next thread would: keys of all stripes, and neighbours in leaves.
  void useOn() {
    for (long key = Snapshot.LATER; key < Snapshot.LATER + LATER_KEYS; key++) {
      map.put(key, Snapshot.LATER_ELEMENT);
      tree.put(key, Snapshot.LATER_ELEMENT);
    }
    tree.remove(Snapshot.LATER);
    map.remove(Snapshot.LATER);
    queue.offer(Snapshot.LATER_ELEMENT);
    store.sync();
  }

  /// Whether what {@link #useOn} did is there.
  boolean isUsedOn() {
    long last = Snapshot.LATER + LATER_KEYS - 1;
    boolean isQueued = false;
    for (String each : queue) {
      isQueued |= each.equals(Snapshot.LATER_ELEMENT);
    }
    return isQueued && map.containsKey(last) && tree.containsKey(last);
  }
}
