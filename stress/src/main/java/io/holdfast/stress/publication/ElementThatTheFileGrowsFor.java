package io.holdfast.stress.publication;

import io.holdfast.collections.PersistentQueue;
import java.util.Arrays;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// The store itself: an element for which the file has no room, so that it grows; and one beside it
/// that was there before. After the tests the file is trimmed, and mapped anew.
@JCStressTest
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "Before the element.")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "After it, whole.")
@Outcome(expect = Expect.FORBIDDEN, desc = "In part, or what was there before is gone.")
@State
public class ElementThatTheFileGrowsFor {
  private static final int BYTES = 2 << 20;

  private final PersistentQueue<byte[]> queue = FilePool.take();
  private final byte[] element = FilePool.element(BYTES);

  @Actor
  public void grower() {
    queue.add(element);
  }

  @Actor
  public void reader(II_Result result) {
    byte[] found = queue.peek();
    result.r1 = found == null ? 0 : Arrays.equals(found, element) ? 1 : -1;
    result.r2 = FilePool.isSteady() ? 1 : 0;
  }

  /// After both.
  @Arbiter
  public void giveBack() {
    FilePool.giveBack(queue);
  }
}
