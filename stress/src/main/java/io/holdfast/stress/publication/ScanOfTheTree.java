package io.holdfast.stress.publication;

import io.holdfast.collections.PersistentTreeMap;
import java.util.NavigableMap;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// The tree itself: scans up and down, over keys that stay, while others come between them and
/// split their leaf, and go.
@JCStressTest
@Outcome(id = "6, 6", expect = Expect.ACCEPTABLE, desc = "Each key that stays, once, in order.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A gap, a key twice, or not in order.")
@State
public class ScanOfTheTree {
  private static final int STEADY = 6;

  private final PersistentTreeMap<Integer, QueuePool.Element> tree = TreePool.take();

  public ScanOfTheTree() {
    for (int key = 0; key < STEADY; key++) {
      tree.put(10 * key, QueuePool.element());
    }
  }

  @Actor
  public void splitter() {
    for (int key = 0; key < STEADY; key++) {
      tree.put(10 * key + 5, QueuePool.element());
    }
    for (int key = 0; key < STEADY; key++) {
      tree.remove(10 * key + 5);
    }
  }

  @Actor
  public void scanner(II_Result result) {
    result.r1 = steadyKeys(tree, 1);
    result.r2 = steadyKeys(tree.descendingMap(), -1);
  }

  /// How many of them are found; -1 if one is where it does not belong.
  private static int steadyKeys(NavigableMap<Integer, QueuePool.Element> map, int direction) {
    int found = 0;
    Integer last = null;
    for (int key : map.navigableKeySet()) {
      if (last != null && Integer.compare(key, last) != direction) {
        return -1;
      }
      last = key;
      found += key % 10 == 0 ? 1 : 0;
    }
    return found;
  }

  /// After both.
  @Arbiter
  public void giveBack() {
    TreePool.giveBack(tree);
  }
}
