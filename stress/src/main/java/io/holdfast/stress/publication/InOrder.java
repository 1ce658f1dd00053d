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
@Outcome(expect = Expect.FORBIDDEN, desc = "Out of order, or twice.")
@State
public class InOrder {
  private final PersistentQueue<QueuePool.Element> queue = QueuePool.take();

  @Actor
  public void producer() {
    queue.add(new QueuePool.Element(1, "", 1));
    queue.add(new QueuePool.Element(2, "", 2));
  }

  @Actor
  public void consumer(II_Result result) {
    result.r1 = poll();
    result.r2 = poll();
  }

  private int poll() {
    QueuePool.Element taken = queue.poll();
    return taken == null ? 0 : taken.left();
  }

  /// Behind both.
  @Arbiter
  public void giveBack() {
    QueuePool.giveBack(queue);
  }
}
