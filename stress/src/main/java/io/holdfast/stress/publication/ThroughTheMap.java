package io.holdfast.stress.publication;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// The map itself, as a way from thread to thread: a thread that finds the second entry finds the
/// first one, and a plain field that was stored before both.
@JCStressTest
@Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "Before all.")
@Outcome(id = "0, 0, 1", expect = Expect.ACCEPTABLE, desc = "After the field.")
@Outcome(id = "0, 1, 1", expect = Expect.ACCEPTABLE, desc = "After the first entry.")
@Outcome(id = "1, 1, 1", expect = Expect.ACCEPTABLE, desc = "After both.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The second one and not what happened before it.")
@State
public class ThroughTheMap {
  private final MapPool.Place one = new MapPool.Place();
  private final MapPool.Place other = new MapPool.Place();
  private final QueuePool.Element element = QueuePool.element();
  private int field;

  @Actor
  public void producer() {
    field = 1;
    one.put(element);
    other.put(element);
  }

  @Actor
  public void consumer(III_Result result) {
    result.r1 = element.equals(other.get()) ? 1 : 0;
    result.r2 = element.equals(one.get()) ? 1 : 0;
    result.r3 = field;
  }

  /// After both.
  @Arbiter
  public void giveBack() {
    one.remove();
    other.remove();
  }
}
