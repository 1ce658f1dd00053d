package io.holdfast.stress.publication;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// Broken: a scan takes a leaf's bound, and then its keys, of which a split has moved one behind
/// that bound.
@JCStressTest
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "Both keys, once.")
@Outcome(
    id = "[13]",
    expect = Expect.ACCEPTABLE_INTERESTING,
    desc = "A gap, or a key twice: what a scan of the tree must not show.")
@State
public class ScanBesideASplit {
  private volatile int keysOfNext;
  private volatile int keys = 2;
  private volatile boolean isLast = true;

  @Actor
  public void splitter() {
    keysOfNext = 1;
    isLast = false;
    keys = 1;
  }

  @Actor
  public void scanner(I_Result result) {
    boolean ends = isLast;
    int found = keys;
    result.r1 = ends ? found : found + keysOfNext;
  }
}
