package io.holdfast.stress.workload;

import io.holdfast.Holdfast;
import io.holdfast.stress.kill.Worker;
import java.util.List;
import java.util.Queue;
import java.util.stream.Stream;

/// {@link Transfer} under locks that are taken hand over hand, or nested in a lock of the thread's
/// own, so that sections see what others have not finished, in long chains and in cycles; with
/// {@link Rumours} of the counts.
public final class LockedTransfer extends Transfer {
  private final List<HookedLock> locksOfBoxes = locks(Exchange.BOXES);
  private List<HookedLock> locksOfThreads;
  private Rumours rumours;

  public LockedTransfer() {
    super(new Shape(200, 12, 0));
  }

  private static List<HookedLock> locks(int count) {
    return Stream.generate(HookedLock::new).limit(count).toList();
  }

  @Override
  String style() {
    return "locks";
  }

  @Override
  public void setUp(Worker worker) {
    super.setUp(worker);
    Exchange exchange = exchange(worker.store(), worker.threads());
    locksOfThreads = locks(worker.threads());
    rumours = new Rumours(worker.store(), exchange.counts().stream().map(Queue::element).toList());
  }

  @Override
  void transfer(Worker worker, Exchange exchange, int thread, int from, int to, int tokens) {
    if (from < to) {
      handOverHand(exchange, thread, from, to);
    } else {
      nested(exchange, thread, from, to, tokens);
    }
    for (int i = 0; i < tokens; i++) {
      rumours.listen(thread);
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
    count(exchange, thread);
    for (int i = 0; i < tokens; i++) {
      locksOfBoxes.get(to).lock(); // the lower box first, as hand over hand
      locksOfBoxes.get(from).lock();
      Exchange.move(exchange.boxes().get(from), exchange.boxes().get(to), 1);
      locksOfBoxes.get(from).unlock();
      locksOfBoxes.get(to).unlock();
    }
    locksOfThreads.get(thread).unlock();
  }

  /// Counts, and tells the others before the section has ended.
  private void count(Exchange exchange, int thread) {
    Exchange.increment(exchange.counts().get(thread));
    rumours.tell(thread, exchange.counts().get(thread).element());
    Exchange.increment(exchange.twins().get(thread));
  }

  @Override
  void check(Holdfast store, Exchange found, int threads) {
    Rumours.check(store, found, threads);
  }
}
