package io.holdfast.stress.publication;

import io.holdfast.collections.PersistentTreeMap;
import io.holdfast.stress.publication.QueuePool.Element;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/// Sorted maps, and places in one, as {@link MapPool} has them. Eight elements fill a leaf, so
/// leaves split, and are written anew, under those who read; and their blocks are used again.
final class TreePool {
  private static final AtomicInteger MADE = new AtomicInteger();
  private static final Queue<PersistentTreeMap<Integer, Element>> IDLE =
      new ConcurrentLinkedQueue<>();
  private static final PersistentTreeMap<Integer, Element> PLACES = newTree("places of a tree");

  private static PersistentTreeMap<Integer, Element> newTree(String name) {
    return QueuePool.STORE.treeMap(name, Integer.class, Element.class);
  }

  /// A key that nobody else uses, in a tree that all share.
  static MapPool.Place place() {
    return new MapPool.Place(PLACES);
  }

  /// An empty tree that nobody else uses.
  static PersistentTreeMap<Integer, Element> take() {
    PersistentTreeMap<Integer, Element> idle = IDLE.poll();
    return idle != null ? idle : newTree("tree-" + MADE.incrementAndGet());
  }

  static void giveBack(PersistentTreeMap<Integer, Element> tree) {
    tree.clear();
    IDLE.add(tree);
  }

  private TreePool() {}
}
