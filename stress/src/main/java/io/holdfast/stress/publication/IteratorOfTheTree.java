package io.holdfast.stress.publication;

import io.holdfast.collections.PersistentTreeMap;
import java.util.Iterator;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// The tree itself: a walk over a tree whose only entry is removed and put anew.
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "After the removal.")
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "An element, whole.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Promised, and not there, or there in part.")
@State
public class IteratorOfTheTree {
  private final PersistentTreeMap<Integer, QueuePool.Element> tree = TreePool.take();
  private final QueuePool.Element first = QueuePool.element();
  private final QueuePool.Element second = QueuePool.element();

  public IteratorOfTheTree() {
    tree.put(1, first);
  }

  @Actor
  public void owner() {
    tree.remove(1);
    tree.put(1, second);
  }

  @Actor
  public void walker(II_Result result) {
    Iterator<QueuePool.Element> iterator = tree.values().iterator();
    result.r1 = iterator.hasNext() ? 1 : 0;
    QueuePool.Element found = result.r1 == 0 ? null : iterator.next();
    result.r2 = found == null ? 0 : found.equals(first) || found.equals(second) ? 2 : -1;
  }

  /// After both.
  @Arbiter
  public void giveBack() {
    TreePool.giveBack(tree);
  }
}
