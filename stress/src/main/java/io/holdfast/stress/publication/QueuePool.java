package io.holdfast.stress.publication;

import io.holdfast.Holdfast;
import io.holdfast.collections.PersistentQueue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/// Queues of one store, for states of which jcstress makes many at once. They are used again, since
/// making one costs more than a test.
final class QueuePool {
  /// Two numbers that belong together, far from each other.
  record Element(int left, String between, int right) {
    static final Element WHOLE = new Element(1, "x".repeat(150), 1);

    /// 2 if this is all of {@link #WHOLE}, -1 if it is something else.
    int wholeness() {
      return equals(WHOLE) ? 2 : -1;
    }
  }

  private static final Holdfast STORE = open();
  private static final AtomicInteger MADE = new AtomicInteger();
  private static final Queue<PersistentQueue<Element>> IDLE = new ConcurrentLinkedQueue<>();

  private static Holdfast open() {
    try {
      return Holdfast.open(Files.createTempDirectory("holdfast-jcstress-").resolve("store.hf"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// An empty queue that nobody else uses.
  static PersistentQueue<Element> take() {
    PersistentQueue<Element> idle = IDLE.poll();
    return idle != null ? idle : STORE.queue("queue-" + MADE.incrementAndGet(), Element.class);
  }

  static void giveBack(PersistentQueue<Element> queue) {
    queue.clear();
    IDLE.add(queue);
  }

  private QueuePool() {}
}
