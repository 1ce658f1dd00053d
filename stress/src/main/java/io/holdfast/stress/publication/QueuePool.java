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
/// making one costs more than a test. So is the memory below them: no two elements are alike, or a
/// test would take what a former one left in a line for what was to come.
final class QueuePool {
  /// Two numbers that belong together, and so many characters between them that an element spans
  /// several lines and can't be whole by luck.
  record Element(int left, String between, int right) {
    private Element(int number) {
      this(number, String.valueOf((char) ('a' + number % 26)).repeat(150), number);
    }

    /// 2 if this was taken, whole; 0 if nothing was; -1 if something else was.
    int wholeness(Element taken) {
      return taken == null ? 0 : taken.equals(this) ? 2 : -1;
    }
  }

  static final Holdfast STORE = open();
  private static final AtomicInteger MADE = new AtomicInteger();
  private static final AtomicInteger ELEMENTS = new AtomicInteger();
  private static final Queue<PersistentQueue<Element>> IDLE = new ConcurrentLinkedQueue<>();

  private static Holdfast open() {
    try {
      return Holdfast.open(Files.createTempDirectory("holdfast-jcstress-").resolve("store.hf"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// An element that never was before.
  static Element element() {
    return new Element(ELEMENTS.incrementAndGet());
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
