package io.holdfast.stress.kill;

import io.holdfast.Holdfast;
import io.holdfast.stress.workload.HandOverHand;

/// A fault: sections that last until the last lock is given up, and are acknowledged before.
public final class HeldForLong extends HandOverHand {
  @Override
  public Holdfast.Options options(Holdfast.Options options) {
    return options;
  }
}
