package io.holdfast.stress.publication;

import io.holdfast.collections.PersistentQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// The queue itself, in three looks: what one has seen, the next ones see too, whole.
@JCStressTest
@Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "Before the element.")
@Outcome(id = "0, 0, 2", expect = Expect.ACCEPTABLE, desc = "Offered before the poll.")
@Outcome(id = "0, 2, 2", expect = Expect.ACCEPTABLE, desc = "Offered before the peek.")
@Outcome(id = "1, 2, 2", expect = Expect.ACCEPTABLE, desc = "After the element, which is whole.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Seen and not there, or there in part.")
@State
public class EveryLook {
  private final PersistentQueue<QueuePool.Element> queue = QueuePool.take();
  private final QueuePool.Element element = QueuePool.element();

  @Actor
  public void producer() {
    queue.add(element);
  }

  @Actor
  public void consumer(III_Result result) {
    result.r1 = queue.isEmpty() ? 0 : 1;
    result.r2 = element.wholeness(queue.peek());
    result.r3 = element.wholeness(queue.poll());
  }

  /// After both.
  @Arbiter
  public void giveBack() {
    QueuePool.giveBack(queue);
  }
}
