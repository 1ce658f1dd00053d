package io.holdfast.recovery.cli;

import io.holdfast.Holdfast;
import java.nio.file.Path;
import java.util.SplittableRandom;

/// A process that changes a store without a pause, until it is killed.
final class BusyStore {
  static final String READY = "ready";

  private BusyStore() {}

  public static void main(String[] args) {
    Holdfast store = Holdfast.open(Path.of(args[0]));
    var map = store.hashMap("map", Long.class, String.class);
    var tree = store.treeMap("tree", Long.class, String.class);
    var queue = store.queue("queue", Long.class);
    for (int thread = 0; thread < 2; thread++) {
      SplittableRandom random = new SplittableRandom(thread);
      Thread.ofPlatform()
          .start(
              () -> {
                while (true) {
                  long key = random.nextLong(10_000);
                  store.atomically(
                      () -> {
                        map.put(key, "value " + key);
                        tree.put(key, "x".repeat((int) (key % 200)));
                        queue.add(key);
                        map.remove(key / 2);
                        tree.remove(key / 2);
                        queue.poll();
                      });
                }
              });
    }
    System.out.println(READY);
  }
}
