package io.holdfast.stress.failures;

import io.holdfast.Receipt;

/// The store itself: its roots, its file, its log.
final class StoreScenes {
  /// What the names of the store's own threads begin with.
  static final String WRITER = "holdfast-log-";

  static final String CHECKPOINT = "holdfast-checkpoint-";

  static void roots(Stage stage) {
    stage.store.hashMap("made", Long.class, String.class);
    stage.did();
    stage.store.queue("made too", String.class);
    stage.did();
    stage.store.treeMap("made last", Long.class, String.class);
    stage.did();
    stage.store.rename("made", "renamed");
    stage.did();
    stage.store.delete("renamed");
    stage.did();
  }

  static void trim(Stage stage) {
    stage.store.trim();
    stage.map.put(100L, "new");
    stage.did();
  }

  static void growth(Stage stage) {
    for (int i = 0; i < 12; i++) {
      stage.queue.offer("z".repeat(200_000) + i);
      stage.did();
    }
  }

  /// Leaves a file as a kill in the middle of a section would.
  static void crashed(Stage stage) throws Exception {
    Scenes.some(stage);
    stage.store.atomically(
        () -> {
          for (long key = 0; key < 120; key++) {
            stage.map.put(key, "undone" + key);
            stage.tree.put(key, "undone" + key);
          }
          stage.keepAsKilled();
        });
  }

  static void putSome(Stage stage) {
    for (long key = 0; key < 5; key++) {
      stage.map.put(100 + key, "new");
      stage.did();
    }
  }

  /// Half a log is too much for one checkpoint not to be made, and the second finds the log full.
  static void fillLog(Stage stage) {
    for (int i = 0; i < 12; i++) {
      stage.map.put(100L + i, "f".repeat(1_000_000));
      stage.did();
    }
  }

  static void checkpoint(Stage stage) throws Exception {
    fillLog(stage);
    stage.awaitIdle(CHECKPOINT);
  }

  static void receipt(Stage stage) {
    stage.sectionBegins();
    stage.store.relaxed(() -> stage.map.put(100L, "new"));
    stage.did();
    Receipt receipt = stage.store.receipt();
    receipt.onSafe(() -> {});
    receipt.await();
    stage.sectionBegins();
    stage.store.relaxed(() -> stage.tree.put(100L, "new"));
    stage.did();
    stage.store.receipt().await();
    stage.sectionEnds();
  }

  private StoreScenes() {}
}
