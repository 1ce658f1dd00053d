package io.holdfast.stress.workload;

import io.holdfast.Holdfast;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.stress.kill.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/// What threads know of each other's counts by transient memory alone, in which nothing is logged:
/// only the order of happenings says that a count must be there when one who knew it is (Atlas
/// 3.3).
///
/// A thread tells its count in the middle of a section. The next thread reads that in a section
/// that stores nothing, stores it in one of its own, and passes it on in one that stores nothing.
/// The one after that stores what it hears of it.
///
/// | root | holds |
/// |---|---|
/// | `seen-n` | numbers that thread n has seen as counts of thread n-1 |
/// | `heard-n` | numbers that thread n has heard of as counts of thread n-2, from thread n-1 |
///
/// Each is at most the count that is there. A section here is one change of one queue: the queue's
/// own lock would hand on dependencies from one change to the next.
final class Rumours {
  private final List<Note> told;
  private final List<Note> passed;
  private final List<PersistentQueue<Long>> seen = new ArrayList<>();
  private final List<PersistentQueue<Long>> heard = new ArrayList<>();

  /// A transient number, with a lock of its own: one lock for several would hand on what was told
  /// to whoever reads another.
  private static final class Note {
    private final HookedLock lock = new HookedLock();
    private long number;

    Note(long number) {
      this.number = number;
    }

    void write(long newNumber) {
      lock.lock();
      number = newNumber;
      lock.unlock();
    }

    long read() {
      lock.lock();
      long found = number;
      lock.unlock();
      return found;
    }
  }

  Rumours(Holdfast store, List<Long> counts) {
    told = counts.stream().map(Note::new).toList();
    passed = counts.stream().map(count -> new Note(0)).toList();
    for (int thread = 0; thread < counts.size(); thread++) {
      seen.add(seen(store, thread));
      heard.add(heard(store, thread));
    }
  }

  private static PersistentQueue<Long> seen(Holdfast store, int thread) {
    return store.queue("seen-" + thread, Long.class);
  }

  private static PersistentQueue<Long> heard(Holdfast store, int thread) {
    return store.queue("heard-" + thread, Long.class);
  }

  /// Tells a count, in the thread's section.
  void tell(int thread, long count) {
    told.get(thread).write(count);
  }

  /// Stores what others told, and passes it on; outside of sections.
  void listen(int thread) {
    if (thread > 0) {
      long count = told.get(thread - 1).read();
      keep(seen.get(thread), count);
      passed.get(thread).write(count);
      keep(heard.get(thread), passed.get(thread - 1).read());
    }
  }

  private static void keep(PersistentQueue<Long> queue, long count) {
    queue.add(count);
    while (queue.size() > 2) {
      queue.remove();
    }
  }

  /// Checks a store that was just opened.
  static void check(Holdfast store, Exchange found, int threads) {
    for (int thread = 1; thread < threads; thread++) {
      check(seen(store, thread), found, thread - 1);
      if (thread > 1) {
        check(heard(store, thread), found, thread - 2);
      }
    }
  }

  private static void check(PersistentQueue<Long> queue, Exchange found, int thread) {
    queue.validate();
    long known =
        LongStream.concat(LongStream.of(0), queue.stream().mapToLong(each -> each)).max().orElse(0);
    Violation.unless(
        known <= found.count(thread),
        "P2 ordered: a count is gone that another thread knew of: thread=%d, found=%d, known=%d, in"
            + " %s",
        thread,
        found.count(thread),
        known,
        queue);
  }
}
