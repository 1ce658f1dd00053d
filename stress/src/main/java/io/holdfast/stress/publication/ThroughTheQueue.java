package io.holdfast.stress.publication;

import io.holdfast.collections.PersistentQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// The queue itself: what its only consumer sees counted it can take, whole.
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "Before the element.")
@Outcome(id = "0, 2", expect = Expect.ACCEPTABLE, desc = "Offered in between.")
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "After the element, which is whole.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Counted and not there, or there in part.")
@State
public class ThroughTheQueue {
  private final PersistentQueue<QueuePool.Element> queue = QueuePool.take();
  private final QueuePool.Element element = QueuePool.element();

  @Actor
  public void producer() {
    queue.add(element);
  }

  @Actor
  public void consumer(II_Result result) {
    result.r1 = queue.size();
    result.r2 = element.wholeness(queue.poll());
  }

  /// After both.
  @Arbiter
  public void giveBack() {
    QueuePool.giveBack(queue);
  }
}
