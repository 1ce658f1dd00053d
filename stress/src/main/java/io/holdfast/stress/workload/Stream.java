package io.holdfast.stress.workload;

import io.holdfast.Holdfast;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.stress.kill.Violation;
import io.holdfast.stress.kill.Worker;
import io.holdfast.stress.kill.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/// Each thread has a queue of its own, to which it adds numbers in ascending order, and from which
/// it takes some; no section is around these calls. So each is durable when it returns (P6): the
/// thread says so at once, and at most one call for each life is not acknowledged.
public abstract class Stream implements Workload {
  /// A number, with ballast that varies with it.
  record Item(long number, String ballast) {
    static Item of(long number, int ballastMax) {
      return new Item(number, "b".repeat((int) (number * 31 % (ballastMax + 1))));
    }
  }

  private final int ballastMax;
  private final int takenOf10;
  private List<PersistentQueue<Item>> queues;

  /// The model, in the parent: by thread, how many were added and how many taken.
  private final List<long[]> acknowledged = new ArrayList<>();

  private static final int ADDED = 0, TAKEN = 1;

  /// @param ballastMax characters that an item is longer than its number
  /// @param takenOf10 how many of ten items are taken again
  Stream(int ballastMax, int takenOf10) {
    this.ballastMax = ballastMax;
    this.takenOf10 = takenOf10;
  }

  private static PersistentQueue<Item> queue(Holdfast store, int thread) {
    return store.queue("stream-" + thread, Item.class);
  }

  @Override
  public void setUp(Worker worker) {
    List<PersistentQueue<Item>> opened = new ArrayList<>();
    for (int i = 0; i < worker.threads(); i++) {
      PersistentQueue<Item> queue = queue(worker.store(), i);
      if (queue.isEmpty()) {
        queue.add(
            Item.of(0, ballastMax)); // stays as the last one, so that the queue tells where it is
      }
      opened.add(queue);
    }
    queues = opened;
  }

  @Override
  public void work(Worker worker, int thread) {
    PersistentQueue<Item> queue = queues.get(thread);
    RandomGenerator random = worker.random(thread);
    long next = 0;
    for (Item item : queue) {
      next = item.number() + 1;
    }
    while (true) {
      queue.add(Item.of(next++, ballastMax));
      worker.acknowledge(2 * thread + ADDED, next);
      if (random.nextInt(10) < takenOf10 && queue.size() > 1) {
        long taken = queue.remove().number() + 1;
        worker.acknowledge(2 * thread + TAKEN, taken);
      }
    }
  }

  @Override
  public void acknowledged(int channel, long number) {
    of(channel / 2)[channel % 2] = number;
  }

  private long[] of(int thread) {
    while (acknowledged.size() <= thread) {
      acknowledged.add(new long[2]);
    }
    return acknowledged.get(thread);
  }

  @Override
  public void check(Holdfast store, int lives) {
    for (int thread = 0; thread < acknowledged.size(); thread++) {
      check(queue(store, thread), thread, lives);
    }
  }

  private void check(PersistentQueue<Item> queue, int thread, int lives) {
    long valid = queue.validate();
    Violation.unless(
        valid == queue.size(), "a queue's size is wrong: walked=%d, size=%d", valid, queue.size());
    long added = of(thread)[ADDED];
    long taken = of(thread)[TAKEN];
    Item head = queue.peek();
    long first = head == null ? 0 : head.number();
    long next = first;
    for (Item item : queue) {
      Violation.unless(
          item.equals(Item.of(next, ballastMax)),
          "an item is not the next one: thread=%d, found=%s, expected number=%d",
          thread,
          item,
          next);
      next++;
    }
    Violation.unless(
        first >= taken && first <= taken + lives,
        "P6 acknowledged: taken items: thread=%d, found=%d, acknowledged=%d, lives=%d",
        thread,
        first,
        taken,
        lives);
    Violation.unless(
        next >= added && next <= Math.max(added, 1) + lives,
        "P6 acknowledged: added items: thread=%d, found=%d, acknowledged=%d, lives=%d",
        thread,
        next,
        added,
        lives);
    of(thread)[ADDED] = next;
    of(thread)[TAKEN] = first;
  }
}
