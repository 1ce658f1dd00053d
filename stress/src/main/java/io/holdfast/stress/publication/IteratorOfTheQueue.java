package io.holdfast.stress.publication;

import io.holdfast.collections.PersistentQueue;
import java.util.Iterator;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// The queue itself: a walk over a queue whose only element is taken and another one added.
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "After the removal.")
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "An element, whole.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Promised, and not there, or there in part.")
@State
public class IteratorOfTheQueue {
  private final PersistentQueue<QueuePool.Element> queue = QueuePool.take();
  private final QueuePool.Element first = QueuePool.element();
  private final QueuePool.Element second = QueuePool.element();

  public IteratorOfTheQueue() {
    queue.add(first);
  }

  @Actor
  public void owner() {
    queue.remove();
    queue.add(second);
  }

  @Actor
  public void walker(II_Result result) {
    Iterator<QueuePool.Element> iterator = queue.iterator();
    result.r1 = iterator.hasNext() ? 1 : 0;
    QueuePool.Element found = result.r1 == 0 ? null : iterator.next();
    result.r2 = found == null ? 0 : found.equals(first) || found.equals(second) ? 2 : -1;
  }

  /// After both.
  @Arbiter
  public void giveBack() {
    QueuePool.giveBack(queue);
  }
}
