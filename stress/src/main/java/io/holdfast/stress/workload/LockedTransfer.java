package io.holdfast.stress.workload;

import io.holdfast.Holdfast;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.stress.kill.Violation;
import io.holdfast.stress.kill.Worker;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// {@link Transfer} under locks that are taken hand over hand, or nested in a lock of the thread's
/// own, so that sections see what others have not finished, in long chains and in cycles.
///
/// In the middle of its section, a thread notes its count in transient memory, under a lock. Its
/// neighbour reads that in a section that stores nothing, and stores what it has seen in the next
/// one: so nothing but the order of happenings says that what was seen must be there (Atlas 3.3).
///
/// | root | holds |
/// |---|---|
/// | `seen-n` | one number: what thread n has seen of the count of thread n-1, which is never less |
public final class LockedTransfer extends Transfer {
  private final List<HookedLock> locksOfBoxes = locks(Exchange.BOXES);
  private final HookedLock lockOfNotes = new HookedLock();
  private List<HookedLock> locksOfThreads;
  private long[] notes;
  private List<PersistentQueue<Long>> seen;

  public LockedTransfer() {
    super(new Shape(200, 4, 0));
  }

  private static List<HookedLock> locks(int count) {
    return Stream.generate(HookedLock::new).limit(count).toList();
  }

  private static PersistentQueue<Long> seen(Holdfast store, int thread) {
    return store.queue("seen-" + thread, Long.class);
  }

  @Override
  public String name() {
    return "locks";
  }

  @Override
  public void setUp(Worker worker) {
    super.setUp(worker);
    Exchange exchange = Exchange.in(worker.store(), worker.threads());
    locksOfThreads = locks(worker.threads());
    notes = exchange.counts().stream().mapToLong(PersistentQueue::element).toArray();
    seen = new ArrayList<>();
    for (int i = 0; i < worker.threads(); i++) {
      seen.add(seen(worker.store(), i));
      if (seen.get(i).isEmpty()) {
        seen.get(i).add(0L);
      }
    }
  }

  @Override
  void transfer(Holdfast store, Exchange exchange, int thread, int from, int to, int tokens) {
    if (from < to) {
      handOverHand(exchange, thread, from, to);
    } else {
      nested(exchange, thread, from, to, tokens);
    }
    if (thread > 0) {
      look(thread);
    }
  }

  /// One token goes along the boxes between, whose locks are held two at a time.
  private void handOverHand(Exchange exchange, int thread, int from, int to) {
    locksOfBoxes.get(from).lock();
    String token = exchange.boxes().get(from).poll();
    for (int box = from + 1; box <= to; box++) {
      locksOfBoxes.get(box).lock();
      locksOfBoxes.get(box - 1).unlock();
    }
    if (token != null) {
      exchange.boxes().get(to).add(token);
    }
    count(exchange, thread);
    locksOfBoxes.get(to).unlock();
  }

  /// Several tokens, one after the other; others may take the boxes' locks in between.
  private void nested(Exchange exchange, int thread, int from, int to, int tokens) {
    locksOfThreads.get(thread).lock();
    for (int i = 0; i < tokens; i++) {
      locksOfBoxes.get(to).lock(); // the lower box first, as hand over hand
      locksOfBoxes.get(from).lock();
      Exchange.move(exchange.boxes().get(from), exchange.boxes().get(to), 1);
      locksOfBoxes.get(from).unlock();
      locksOfBoxes.get(to).unlock();
      if (i == 0) {
        count(exchange, thread);
      }
    }
    locksOfThreads.get(thread).unlock();
  }

  /// Counts, and tells the others before it has ended.
  private void count(Exchange exchange, int thread) {
    Exchange.increment(exchange.counts().get(thread));
    lockOfNotes.lock();
    notes[thread] = exchange.counts().get(thread).element();
    lockOfNotes.unlock();
    Exchange.increment(exchange.twins().get(thread));
  }

  /// Two sections, of which the first stores nothing.
  private void look(int thread) {
    lockOfNotes.lock();
    long note = notes[thread - 1];
    lockOfNotes.unlock();
    locksOfThreads.get(thread).lock();
    seen.get(thread).remove();
    seen.get(thread).add(note);
    locksOfThreads.get(thread).unlock();
  }

  @Override
  void check(Holdfast store, Exchange found, int threads) {
    for (int thread = 1; thread < threads; thread++) {
      PersistentQueue<Long> queue = seen(store, thread);
      Violation.unless(
          queue.validate() <= 1, "P1 atomic: a note holds several numbers: found=%s", queue);
      long noted = queue.isEmpty() ? 0 : queue.element();
      long counted = found.count(thread - 1);
      Violation.unless(
          noted <= counted,
          "P2 ordered: a count that was seen is gone: thread=%d, found=%d, seen by the next=%d",
          thread - 1,
          counted,
          noted);
    }
  }
}
