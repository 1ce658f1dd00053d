package io.holdfast.stress.failures;

import java.util.ArrayList;
import java.util.List;

/// All scenes, in the order in which they run.
final class Scenes {
  private static final Scene.Action NOTHING = stage -> {};

  static final List<Scene> ALL = new ArrayList<>();

  private static void add(String name, Scene.Action given, Scene.Action operation) {
    ALL.add(new Scene(name, given, operation));
  }

  private static void some(Stage stage) {
    for (long key = 0; key < 12; key++) {
      stage.map.put(key, "old" + key);
      stage.tree.put(key, "old" + key);
      stage.queue.offer("old" + key);
    }
  }

  static {
    add(
        "map-put",
        Scenes::some,
        stage -> {
          stage.map.put(100L, "new");
          stage.did();
          stage.map.put(3L, "replaced");
          stage.did();
          stage.map.remove(4L);
          stage.did();
        });
    add(
        "tree-put",
        Scenes::some,
        stage -> {
          stage.tree.put(100L, "new");
          stage.did();
          stage.tree.put(3L, "replaced");
          stage.did();
          stage.tree.remove(4L);
          stage.did();
        });
    add(
        "queue-offer",
        Scenes::some,
        stage -> {
          stage.queue.offer("new");
          stage.did();
          stage.queue.poll();
          stage.did();
          stage.queue.offer("newer");
          stage.did();
        });
    add(
        "section",
        Scenes::some,
        stage ->
            stage.atomically(
                () -> {
                  stage.map.put(100L, "new");
                  stage.did();
                  stage.tree.put(3L, "replaced");
                  stage.did();
                  stage.queue.poll();
                  stage.did();
                  stage.queue.offer("new");
                  stage.did();
                }));
    add(
        "locks",
        Scenes::some,
        stage -> {
          stage.sectionBegins();
          stage.outer.lock();
          try {
            stage.map.put(100L, "new");
            stage.did();
            stage.inner.lock();
            try {
              stage.tree.put(3L, "replaced");
              stage.did();
            } finally {
              stage.inner.unlock();
            }
            stage.queue.poll();
            stage.did();
          } finally {
            stage.outer.unlock();
          }
          stage.sectionEnds();
        });
  }

  private Scenes() {}
}
