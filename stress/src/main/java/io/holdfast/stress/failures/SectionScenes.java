package io.holdfast.stress.failures;

import io.holdfast.core.section.hooks.EdgeHooks;
import io.holdfast.core.section.hooks.LockHooks;
import io.holdfast.core.section.hooks.MonitorHooks;
import io.holdfast.core.section.hooks.SectionHooks;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/// Sections, the locks that they are of, and what woven code calls.
///
/// A hook can't tell that a section was not made durable; the next operation does.
final class SectionScenes {
  static void section(Stage stage) {
    stage.atomically(() -> changeAll(stage));
  }

  static void sectionSync(Stage stage) {
    stage.atomically(
        () -> {
          changeAll(stage);
          stage.store.onDurable(() -> {});
        });
    stage.store.onDurable(() -> {});
    stage.store.sync();
  }

  static void sectionLarge(Stage stage) {
    stage.atomically(
        () -> {
          for (long key = 0; key < 400; key++) {
            stage.map.put(key, "in" + key);
            stage.did();
            stage.queue.offer("in" + key);
            stage.did();
          }
        });
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

  static void locks(Stage stage) {
    nested(stage, stage.outer, stage.inner);
  }

  static void locksReadWrite(Stage stage) {
    nested(stage, stage.readWrite.writeLock(), stage.readWrite.readLock());
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

  static void locksConditions(Stage stage) throws Exception {
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
  }

  /// Another thread takes a lock that a section has given up in its middle: what it does then is
  /// there only if that section is (P2).
  static void locksFollowed(Stage stage) throws Exception {
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

  static void hooksSections(Stage stage) {
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
  }

  static void hooksLocks(Stage stage) {
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
  }

  static void hooksMonitors(Stage stage) {
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
  }

  private SectionScenes() {}
}
