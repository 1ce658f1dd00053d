package io.holdfast.stress.publication;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// The tree itself: a key that is removed and put, again and again, so that its leaf is written
/// anew, and blocks are used again.
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "After a removal.")
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "A value of the key, whole.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Another value, or a part of one.")
@State
public class RemovedFromTheTree {
  private final MapPool.Place place = TreePool.place();
  private final QueuePool.Element first = place.put();
  private final QueuePool.Element second = QueuePool.element();
  private final QueuePool.Element third = QueuePool.element();

  @Actor
  public void owner() {
    place.remove();
    place.put(second);
    place.remove();
    place.put(third);
  }

  @Actor
  public void reader(I_Result result) {
    QueuePool.Element found = place.get();
    boolean whole = first.equals(found) || second.equals(found) || third.equals(found);
    result.r1 = found == null ? 0 : whole ? 1 : -1;
  }

  /// After both.
  @Arbiter
  public void giveBack() {
    place.remove();
  }
}
