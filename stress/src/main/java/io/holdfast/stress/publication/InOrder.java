package io.holdfast.stress.publication;

import io.holdfast.collections.PersistentQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// Two elements come out in the order in which they went in.
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "Before both.")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "The first between the two polls.")
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "Only the first yet.")
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "Both, in order.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Out of order, twice, or not whole.")
@State
public class InOrder {
  private final PersistentQueue<QueuePool.Element> queue = QueuePool.take();
  private final QueuePool.Element first = QueuePool.element();
  private final QueuePool.Element second = QueuePool.element();

  @Actor
  public void producer() {
    queue.add(first);
    queue.add(second);
  }

  @Actor
  public void consumer(II_Result result) {
    result.r1 = poll();
    result.r2 = poll();
  }

  private int poll() {
    QueuePool.Element taken = queue.poll();
    if (taken == null) {
      return 0;
    }
    return taken.equals(first) ? 1 : taken.equals(second) ? 2 : -1;
  }

  /// After both.
  @Arbiter
  public void giveBack() {
    QueuePool.giveBack(queue);
  }
}
