package io.holdfast.stress.failures;

import io.holdfast.Job;
import io.holdfast.Receipt;
import io.holdfast.Resumable;
import io.holdfast.Transaction;
import io.holdfast.collections.PersistentDelayQueue;
import io.holdfast.core.section.hooks.EdgeHooks;
import io.holdfast.core.section.hooks.LockHooks;
import io.holdfast.core.section.hooks.MonitorHooks;
import io.holdfast.core.section.hooks.SectionHooks;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/// All scenes, in the order in which they run.
final class Scenes {
  static final List<Scene> ALL = new ArrayList<>();

  /// Those of stores with a log.
  private static final List<Scene> ON_DISK = new ArrayList<>();

  private static final String WRITER = "holdfast-log-";
  private static final String CHECKPOINT = "holdfast-checkpoint-";

  /// Changes that pass for one: a run that does not notice them has not looked. It runs if it is
  /// named.
  static final Scene HASTY =
      new Scene(
          "hasty",
          Scenes::some,
          stage -> {
            for (long key = 100; key < 140; key++) {
              stage.map.put(key, "one of many");
            }
            stage.did();
          });

  private static final String LARGE = "x".repeat(20_000);

  static {
    maps();
    trees();
    queues();
    sections();
    transactions();
    hooks();
    stores();
    logs();
  }

  private static void add(String name, Scene.Action operation) {
    add(name, Scenes::some, operation);
  }

  private static void add(String name, Scene.Action given, Scene.Action operation) {
    ALL.add(new Scene(name, given, operation));
  }

  private static void some(Stage stage) {
    fill(stage, 12);
  }

  private static void fill(Stage stage, int count) {
    for (long key = 0; key < count; key++) {
      stage.map.put(key, "old" + key);
      stage.tree.put(key, "old" + key);
      stage.queue.offer("old" + key);
    }
  }

  private static Map<Long, String> entries(long from, int count) {
    Map<Long, String> entries = new TreeMap<>();
    for (long key = from; key < from + count; key++) {
      entries.put(key, "new" + key);
    }
    return entries;
  }

  private static void put(Stage stage, Map<Long, String> map) {
    map.put(100L, "new");
    stage.did();
    map.put(3L, "replaced");
    stage.did();
    map.remove(4L);
    stage.did();
  }

  private static void putLarge(Stage stage, Map<Long, String> map) {
    map.put(100L, LARGE);
    stage.did();
    map.put(100L, "small");
    stage.did();
    map.put(3L, LARGE + "y");
    stage.did();
    map.remove(3L);
    stage.did();
  }

  private static void clear(Stage stage, Map<Long, String> map) {
    map.clear();
    stage.did();
    map.put(7L, "new");
    stage.did();
  }

  private static void maps() {
    add("map-put", stage -> put(stage, stage.map));
    add(
        "map-functions",
        stage -> {
          stage.map.compute(3L, (_, value) -> value + "!");
          stage.did();
          stage.map.merge(4L, "more", (value, more) -> value + more);
          stage.did();
          stage.map.computeIfAbsent(200L, key -> "made" + key);
          stage.did();
          stage.map.computeIfPresent(5L, (_, _) -> null);
          stage.did();
          stage.map.putIfAbsent(201L, "put");
          stage.did();
          stage.map.replace(6L, "old6", "replaced");
          stage.did();
          stage.map.remove(7L, "old7");
          stage.did();
        });
    add("map-large", stage -> putLarge(stage, stage.map));
    add(
        "map-batch",
        stage -> {
          stage.map.putAll(entries(5, 30));
          stage.did();
        });
    add("map-clear", stage -> clear(stage, stage.map));
    add(
        "map-views",
        stage -> {
          for (Iterator<Map.Entry<Long, String>> each = stage.map.entrySet().iterator();
              each.hasNext(); ) {
            Map.Entry<Long, String> entry = each.next();
            if (entry.getKey() == 4) {
              entry.setValue("set");
              stage.did();
            } else if (entry.getKey() == 8) {
              each.remove();
              stage.did();
            }
          }
          stage.map.keySet().remove(9L);
          stage.did();
          stage.map.get(1L);
          stage.map.size();
        });
    add(
        "map-splits",
        stage -> {
          for (long key = 0; key < 150; key++) {
            stage.map.put(1_000 + key, "value" + key);
            stage.did();
          }
        });
  }

  private static void trees() {
    add("tree-put", stage -> put(stage, stage.tree));
    add(
        "tree-functions",
        stage -> {
          stage.tree.compute(3L, (_, value) -> value + "!");
          stage.did();
          stage.tree.merge(4L, "more", (value, more) -> value + more);
          stage.did();
          stage.tree.computeIfAbsent(200L, key -> "made" + key);
          stage.did();
          stage.tree.replace(6L, "old6", "replaced");
          stage.did();
          stage.tree.remove(7L, "old7");
          stage.did();
          stage.tree.pollFirstEntry();
          stage.did();
          stage.tree.pollLastEntry();
          stage.did();
        });
    add("tree-large", stage -> putLarge(stage, stage.tree));
    add(
        "tree-splits",
        stage -> {
          for (long key = 0; key < 60; key++) {
            stage.tree.put(1_000 + key * 7 % 60, "v".repeat(60));
            stage.did();
          }
        });
    add(
        "tree-merges",
        stage -> fill(stage, 120),
        stage -> {
          for (long key = 10; key < 110; key++) {
            stage.tree.remove(key);
            stage.did();
          }
        });
    add("tree-clear", stage -> clear(stage, stage.tree));
    add(
        "tree-views",
        stage -> {
          stage.tree.subMap(2L, 8L).firstKey();
          stage.tree.descendingMap().headMap(5L).size();
          Iterator<Long> keys = stage.tree.keySet().iterator();
          keys.next();
          keys.remove();
          stage.did();
          stage.tree.ceilingEntry(5L);
          stage.tree.indexOf(6L);
          stage.tree.keyAt(3);
        });
  }

  private static void queues() {
    add(
        "queue-offer",
        stage -> {
          stage.queue.offer("new");
          stage.did();
          stage.queue.poll();
          stage.did();
          stage.queue.offer(LARGE);
          stage.did();
          stage.queue.put("newer");
          stage.did();
          stage.queue.take();
          stage.did();
        });
    add(
        "queue-blocks",
        stage -> {
          for (int i = 0; i < 60; i++) {
            stage.queue.offer("y".repeat(400) + i);
            stage.did();
          }
          for (int i = 0; i < 60; i++) {
            stage.queue.poll();
            stage.did();
          }
        });
    add(
        "queue-remove",
        stage -> {
          removeInside(stage);
          stage.queue.peek();
          stage.queue.drainTo(new ArrayList<>(), 1);
          stage.did();
          stage.queue.removeUnreadable(_ -> {});
        });
    add(
        "queue-held",
        stage ->
            stage.atomically(
                () -> {
                  removeInside(stage);
                  stage.queue.peek();
                  stage.queue.size();
                  stage.queue.drainTo(new ArrayList<>(), 1);
                  stage.did();
                  stage.queue.offer("new");
                  stage.did();
                }));
  }

  private static void removeInside(Stage stage) {
    stage.queue.remove("old5");
    stage.did();
    Iterator<String> each = stage.queue.iterator();
    each.next();
    each.next();
    each.remove();
    stage.did();
  }

  private static void changeAll(Stage stage) {
    stage.map.put(100L, "new");
    stage.did();
    stage.tree.put(3L, "replaced");
    stage.did();
    stage.queue.poll();
    stage.did();
    stage.queue.offer("new");
    stage.did();
    stage.map.remove(5L);
    stage.did();
  }

  private static void sections() {
    add("section", stage -> stage.atomically(() -> changeAll(stage)));
    add(
        "section-sync",
        stage -> {
          stage.atomically(
              () -> {
                changeAll(stage);
                stage.store.onDurable(() -> {});
              });
          stage.store.onDurable(() -> {});
          stage.store.sync();
        });
    add(
        "section-large",
        stage ->
            stage.atomically(
                () -> {
                  for (long key = 0; key < 400; key++) {
                    stage.map.put(key, "in" + key);
                    stage.did();
                    stage.queue.offer("in" + key);
                    stage.did();
                  }
                }));
    add("locks", stage -> nested(stage, stage.outer, stage.inner));
    add(
        "locks-read-write",
        stage -> {
          nested(stage, stage.readWrite.writeLock(), stage.readWrite.readLock());
        });
    add(
        "locks-conditions",
        stage -> {
          Condition condition = stage.outer.newCondition();
          stage.sectionBegins();
          stage.outer.lock();
          try {
            stage.map.put(100L, "new");
            stage.did();
            condition.await(1, TimeUnit.MILLISECONDS);
            stage.sectionGoesOn();
            stage.tree.put(3L, "replaced");
            stage.did();
            condition.signalAll();
          } finally {
            stage.outer.unlock();
          }
          stage.sectionEnds();
        });
    add("locks-followed", Scenes::followed);
  }

  /// Two locks, of which the inner one is given up in the middle.
  private static void nested(Stage stage, Lock outer, Lock inner) {
    stage.sectionBegins();
    outer.lock();
    try {
      stage.map.put(100L, "new");
      stage.did();
      inner.lock();
      try {
        stage.tree.put(3L, "replaced");
        stage.did();
      } finally {
        inner.unlock();
      }
      stage.queue.poll();
      stage.did();
    } finally {
      outer.unlock();
    }
    stage.sectionEnds();
  }

  /// Another thread takes a lock that a section has given up in its middle: what it does then is
  /// there only if that section is (P2).
  private static void followed(Stage stage) throws Exception {
    stage.sectionBegins();
    stage.outer.lock();
    try {
      stage.inner.lock();
      try {
        stage.map.put(100L, "first");
        stage.did();
      } finally {
        stage.unlockInner();
      }
      stage.follow();
    } finally {
      stage.outer.unlock();
    }
    stage.throwLater(); // where the inner lock was not given up: the section goes on
    stage.sectionEnds();
  }

  /// Of each what it changes is one step, and a call or a cut is made once.
  private static void transactions() {
    add(
        "transaction",
        stage -> {
          stage.store.transaction(() -> move(stage, 3, 100));
          stage.did();
          stage.store.atomically(() -> stage.store.transaction(() -> move(stage, 4, 101)));
          stage.did();
          stage.store.transaction(
              () ->
                  Transaction.orElse(
                      () -> {
                        move(stage, 5, 102);
                        Transaction.retry();
                      },
                      () -> move(stage, 6, 103)));
          stage.did();
        });
    add(
        "resumable",
        stage -> {
          Resumable<Long, String> moving =
              stage.store.resumable(
                  "moving",
                  Long.class,
                  String.class,
                  Resumable.Options.<Long>defaults().orderedBy(from -> from % 2),
                  from -> move(stage, from, 100 + from));
          moving.run(3L);
          stage.did();
          moving.run("four", 4L);
          stage.did();
          moving.run("four", 5L);
          stage.store.atomically(() -> moving.run("five", 5L));
          stage.did();
          moving.submit("six", 6L).join();
          stage.did();
        });
    add(
        "job",
        stage -> {
          stage.sectionBegins();
          stage.store.job(
              "moving",
              Long.class,
              3L,
              Job.Options.defaults().every(1),
              (first, job) -> {
                for (long from = first; from < 7; from++) {
                  move(stage, from, 100 + from);
                  job.at(from + 1);
                  stage.did();
                  stage.sectionGoesOn();
                }
              });
          stage.sectionEnds();
        });
    add(
        "undone",
        stage -> {
          for (long from = 3; from < 5; from++) {
            long key = from;
            try {
              stage.store.allOrNothing(
                  () -> {
                    move(stage, key, 100);
                    throw LEFT;
                  });
            } catch (Left e) {
              stage.did(); // nothing
            }
          }
        });
    add(
        "delay-queue",
        stage -> {
          PersistentDelayQueue<Long> due = stage.store.delayQueue("due", Long.class);
          stage.did();
          due.add(3L, Instant.EPOCH);
          stage.did();
          stage.store.allOrNothing(() -> move(stage, due.poll().element(), 100));
          stage.did();
          due.add(4L, Instant.EPOCH);
          stage.did();
          stage.store.transaction(() -> move(stage, due.poll().element(), 101));
          stage.did();
        });
  }

  /// Leaves a block that is undone for it.
  private static final class Left extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Left() {
      super(null, null, false, false);
    }
  }

  private static final Left LEFT = new Left();

  private static String move(Stage stage, long from, long to) {
    String moved = stage.map.remove(from);
    stage.tree.put(to, moved);
    stage.queue.offer(moved);
    stage.queue.poll();
    return moved;
  }

  /// A hook can't tell that a section was not made durable; the next operation does.
  private static void hooks() {
    add(
        "hooks-sections",
        stage -> {
          stage.sectionBegins();
          SectionHooks.acquired(stage.outer);
          try {
            changeAll(stage);
            SectionHooks.publishing(stage.inner);
            SectionHooks.observed(stage.inner);
          } finally {
            stage.release(() -> SectionHooks.releasing(stage.outer));
          }
          stage.store.sync();
          stage.sectionEnds();
        });
    add(
        "hooks-locks",
        stage -> {
          stage.sectionBegins();
          LockHooks.lock(stage.plainOuter);
          try {
            stage.map.put(100L, "new");
            stage.did();
            LockHooks.lock(stage.plainInner);
            try {
              stage.tree.put(3L, "replaced");
              stage.did();
            } finally {
              LockHooks.unlock(stage.plainInner);
            }
            stage.queue.poll();
            stage.did();
          } finally {
            LockHooks.unlock(stage.plainOuter);
          }
          stage.store.sync();
          stage.sectionEnds();
        });
    add(
        "hooks-monitors",
        stage -> {
          Object outer = new Object();
          Object inner = new Object();
          stage.sectionBegins();
          MonitorHooks.acquired(outer);
          try {
            stage.map.put(100L, "new");
            stage.did();
            MonitorHooks.acquired(inner);
            try {
              stage.tree.put(3L, "replaced");
              stage.did();
            } finally {
              stage.release(() -> MonitorHooks.releasing(inner));
            }
            EdgeHooks.writing(inner);
            EdgeHooks.read(inner);
            stage.queue.poll();
            stage.did();
          } finally {
            stage.release(() -> MonitorHooks.releasing(outer));
          }
          stage.store.sync();
          stage.sectionEnds();
        });
  }

  private static void stores() {
    add(
        "roots",
        stage -> {
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
        });
    add(
        "trim",
        stage -> {
          stage.store.trim();
          stage.map.put(100L, "new");
          stage.did();
        });
    add(
        "growth",
        stage -> {
          for (int i = 0; i < 12; i++) {
            stage.queue.offer("z".repeat(200_000) + i);
            stage.did();
          }
        });
    add("backup", stage -> stage.store.backup(stage.backup()));
    add("close", stage -> stage.store.close());
    add("open-create", null, Stage::open);
    add("open-closed", Stage::open);
    add("open-crashed", Scenes::crashed, Stage::open);
  }

  /// Leaves a file as a kill in the middle of a section would.
  private static void crashed(Stage stage) throws Exception {
    some(stage);
    stage.store.atomically(
        () -> {
          for (long key = 0; key < 120; key++) {
            stage.map.put(key, "undone" + key);
            stage.tree.put(key, "undone" + key);
          }
          stage.keepAsKilled();
        });
  }

  /// All of stores that survive a failure.
  static List<Scene> of(Survival survival) {
    List<Scene> all = new ArrayList<>(ALL);
    if (survival.hasLog()) {
      all.addAll(ON_DISK);
    }
    return all;
  }

  private static void logs() {
    onDisk("log-beside", stage -> stage.beside(Scenes::putSome), null);
    onDisk("log-full", Scenes::fillLog, null);
    onDisk("receipt", Scenes::receipt, null);
    onDisk("writer-put", stage -> stage.virtually(Scenes::putSome), WRITER);
    onDisk("writer-beside", stage -> stage.beside(each -> each.virtually(Scenes::putSome)), WRITER);
    onDisk("writer-receipt", stage -> stage.virtually(Scenes::receipt), WRITER);
    onDisk(
        "checkpoint",
        stage -> {
          fillLog(stage);
          stage.awaitIdle(CHECKPOINT);
        },
        CHECKPOINT);
  }

  private static void onDisk(String name, Scene.Action operation, String victim) {
    ON_DISK.add(new Scene(name, Scenes::some, operation, victim));
  }

  private static void putSome(Stage stage) {
    for (long key = 0; key < 5; key++) {
      stage.map.put(100 + key, "new");
      stage.did();
    }
  }

  /// Half a log is too much for one checkpoint not to be made, and the second finds the log full.
  private static void fillLog(Stage stage) {
    for (int i = 0; i < 12; i++) {
      stage.map.put(100L + i, "f".repeat(1_000_000));
      stage.did();
    }
  }

  private static void receipt(Stage stage) {
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

  private Scenes() {}
}
