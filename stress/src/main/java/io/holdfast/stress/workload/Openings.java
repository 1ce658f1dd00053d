package io.holdfast.stress.workload;

import io.holdfast.stress.kill.KillTiming;

/// {@link AtomicTransfer} in a store that is closed and opened again after a few transfers, killed
/// early: while it is created, recovered, set up, first used, closed and opened.
public final class Openings extends AtomicTransfer {
  public Openings() {
    super(new Shape(100, 4, 10));
  }

  @Override
  String style() {
    return "openings";
  }

  @Override
  public boolean reopens() {
    return true;
  }

  @Override
  public KillTiming timing() {
    return KillTiming.EARLY;
  }

  @Override
  public int killsPerStore() {
    return 6;
  }
}
