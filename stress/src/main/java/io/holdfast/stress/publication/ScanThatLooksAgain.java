package io.holdfast.stress.publication;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// The model: keys and bound are those of one moment, by the sequence of what led there (TREE-5);
/// with them the scan knows where to go on, whatever is split meanwhile.
@JCStressTest
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "Both keys, once.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A gap, or a key twice.")
@State
public class ScanThatLooksAgain {
  private volatile int sequence;
  private volatile int keysOfNext;
  private volatile int keys = 2;
  private volatile boolean isLast = true;

  @Actor
  public void splitter() {
    keysOfNext = 1;
    sequence = 1;
    isLast = false;
    keys = 1;
    sequence = 2;
  }

  @Actor
  public void scanner(I_Result result) {
    int before;
    boolean ends;
    int found;
    do {
      before = sequence;
      ends = isLast;
      found = keys;
    } while (before % 2 != 0 || sequence != before);
    result.r1 = ends ? found : found + keysOfNext;
  }
}
