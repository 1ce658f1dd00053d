package io.holdfast.stress.publication;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// The tree itself: a value of several lines that is replaced three times, so that its leaf is full
/// of dead records and written anew.
@JCStressTest
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "A value, whole.")
@Outcome(expect = Expect.FORBIDDEN, desc = "None, or a part of one.")
@State
public class ValueInTheTree {
  private final MapPool.Place place = TreePool.place();
  private final QueuePool.Element first = place.put();
  private final QueuePool.Element second = QueuePool.element();
  private final QueuePool.Element third = QueuePool.element();
  private final QueuePool.Element fourth = QueuePool.element();

  @Actor
  public void writer() {
    place.put(second);
    place.put(third);
    place.put(fourth);
  }

  @Actor
  public void reader(I_Result result) {
    QueuePool.Element found = place.get();
    boolean whole =
        first.equals(found) || second.equals(found) || third.equals(found) || fourth.equals(found);
    result.r1 = whole ? 1 : -1;
  }

  /// After both.
  @Arbiter
  public void giveBack() {
    place.remove();
  }
}
