package io.holdfast.stress.failures;

import io.holdfast.Job;
import io.holdfast.Resumable;
import io.holdfast.Transaction;
import io.holdfast.collections.PersistentDelayQueue;
import java.time.Instant;

/// Transactions, resumables, jobs, and blocks that are undone. What each of them changes is one
/// step, and a call or a cut is made once.
final class TransactionScenes {
  /// Leaves a block that is undone for it.
  private static final class Left extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Left() {
      super(null, null, false, false);
    }
  }

  private static final Left LEFT = new Left();

  static void transaction(Stage stage) {
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
  }

  static void resumable(Stage stage) {
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
  }

  static void job(Stage stage) {
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
  }

  static void undone(Stage stage) {
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
  }

  static void delayQueue(Stage stage) {
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
  }

  private static String move(Stage stage, long from, long to) {
    String moved = stage.map.remove(from);
    stage.tree.put(to, moved);
    stage.queue.offer(moved);
    stage.queue.poll();
    return moved;
  }

  private TransactionScenes() {}
}
