package io.holdfast.stress.publication;

import io.holdfast.collections.PersistentQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// The queue itself: its size beside a thread that adds an element and takes it.
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "Before or after the element.")
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "In between.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Less than nothing, or more than was ever there.")
@State
public class SizeOfTheQueue {
  private final PersistentQueue<QueuePool.Element> queue = QueuePool.take();
  private final QueuePool.Element element = QueuePool.element();

  @Actor
  public void owner() {
    queue.add(element);
    queue.poll();
  }

  @Actor
  public void observer(I_Result result) {
    result.r1 = queue.size();
  }

  /// After both.
  @Arbiter
  public void giveBack() {
    QueuePool.giveBack(queue);
  }
}
