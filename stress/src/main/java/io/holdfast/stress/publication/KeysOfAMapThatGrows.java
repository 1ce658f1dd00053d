package io.holdfast.stress.publication;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// The map itself: keys that stay, while others come without end, so that the index is split again
/// and again; a key is somewhere in it at any time.
@JCStressTest
@Outcome(id = "4", expect = Expect.ACCEPTABLE, desc = "All keys that stay, each with its value.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A key is not found, or has another value.")
@State
public class KeysOfAMapThatGrows {
  private static final int STEADY = 4;
  private static final int ADDED = 8;

  private final GrowingMap map = GrowingMap.current();
  private final int[] steady = new int[STEADY];

  public KeysOfAMapThatGrows() {
    for (int i = 0; i < STEADY; i++) {
      steady[i] = map.add();
    }
  }

  @Actor
  public void grower() {
    for (int i = 0; i < ADDED; i++) {
      map.add();
    }
  }

  @Actor
  public void reader(I_Result result) {
    for (int key : steady) {
      result.r1 += map.has(key) ? 1 : 0;
    }
  }
}
