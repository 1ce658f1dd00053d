package io.holdfast.stress.failures;

import java.util.List;
import java.util.stream.Stream;

/// All scenes by name, in the order in which they run.
final class Scenes {
  private static final List<Scene> ALL =
      List.of(
          scene("map-put", stage -> CollectionScenes.put(stage, stage.map)),
          scene("map-functions", CollectionScenes::mapFunctions),
          scene("map-large", stage -> CollectionScenes.putLarge(stage, stage.map)),
          scene("map-batch", CollectionScenes::mapBatch),
          scene("map-clear", stage -> CollectionScenes.clear(stage, stage.map)),
          scene("map-views", CollectionScenes::mapViews),
          scene("map-splits", CollectionScenes::mapSplits),
          scene("tree-put", stage -> CollectionScenes.put(stage, stage.tree)),
          scene("tree-functions", CollectionScenes::treeFunctions),
          scene("tree-large", stage -> CollectionScenes.putLarge(stage, stage.tree)),
          scene("tree-splits", CollectionScenes::treeSplits),
          scene("tree-merges", stage -> fill(stage, 120), CollectionScenes::treeMerges),
          scene("tree-clear", stage -> CollectionScenes.clear(stage, stage.tree)),
          scene("tree-views", CollectionScenes::treeViews),
          scene("queue-offer", CollectionScenes::queueOffer),
          scene("queue-blocks", CollectionScenes::queueBlocks),
          scene("queue-remove", CollectionScenes::queueRemove),
          scene("queue-held", CollectionScenes::queueHeld),
          scene("section", SectionScenes::section),
          scene("section-sync", SectionScenes::sectionSync),
          scene("section-large", SectionScenes::sectionLarge),
          scene("locks", SectionScenes::locks),
          scene("locks-read-write", SectionScenes::locksReadWrite),
          scene("locks-conditions", SectionScenes::locksConditions),
          scene("locks-followed", SectionScenes::locksFollowed),
          scene("transaction", TransactionScenes::transaction),
          scene("resumable", TransactionScenes::resumable),
          scene("job", TransactionScenes::job),
          scene("undone", TransactionScenes::undone),
          scene("delay-queue", TransactionScenes::delayQueue),
          scene("hooks-sections", SectionScenes::hooksSections),
          scene("hooks-locks", SectionScenes::hooksLocks),
          scene("hooks-monitors", SectionScenes::hooksMonitors),
          scene("roots", StoreScenes::roots),
          scene("trim", StoreScenes::trim),
          scene("growth", StoreScenes::growth),
          scene("backup", stage -> stage.store.backup(stage.backup())),
          scene("close", stage -> stage.store.close()),
          scene("open-create", null, Stage::open),
          scene("open-closed", Stage::open),
          scene("open-crashed", StoreScenes::crashed, Stage::open));

  /// Those of stores with a log.
  private static final List<Scene> ON_DISK =
      List.of(
          scene("log-beside", stage -> stage.beside(StoreScenes::putSome)),
          scene("log-full", StoreScenes::fillLog),
          scene("receipt", StoreScenes::receipt),
          writer("writer-put", stage -> stage.virtually(StoreScenes::putSome)),
          writer(
              "writer-beside", stage -> stage.beside(each -> each.virtually(StoreScenes::putSome))),
          writer("writer-receipt", stage -> stage.virtually(StoreScenes::receipt)),
          new Scene("checkpoint", Scenes::some, StoreScenes::checkpoint, StoreScenes.CHECKPOINT));

  /// Changes that pass for one: a run that does not notice them has not looked. It runs if it is
  /// named.
  static final Scene HASTY = scene("hasty", CollectionScenes::hasty);

  /// All of stores that survive a failure.
  static List<Scene> of(Survival survival) {
    return survival.hasLog() ? Stream.concat(ALL.stream(), ON_DISK.stream()).toList() : ALL;
  }

  private static Scene scene(String name, Scene.Action operation) {
    return scene(name, Scenes::some, operation);
  }

  private static Scene scene(String name, Scene.Action given, Scene.Action operation) {
    return new Scene(name, given, operation);
  }

  /// The log's writer fails.
  private static Scene writer(String name, Scene.Action operation) {
    return new Scene(name, Scenes::some, operation, StoreScenes.WRITER);
  }

  static void some(Stage stage) {
    fill(stage, 12);
  }

  private static void fill(Stage stage, int count) {
    for (long key = 0; key < count; key++) {
      stage.map.put(key, "old" + key);
      stage.tree.put(key, "old" + key);
      stage.queue.offer("old" + key);
    }
  }

  private Scenes() {}
}
