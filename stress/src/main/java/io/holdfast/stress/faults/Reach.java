package io.holdfast.stress.faults;

import java.util.BitSet;

/// Which sites were run through. Code with probes calls it.
public final class Reach {
  private static final boolean[] NOTED = new boolean[1 << 12];

  public static void note(int number) {
    NOTED[number] = true;
  }

  /// What was noted since the last time.
  static BitSet take() {
    BitSet taken = new BitSet();
    for (int i = 0; i < NOTED.length; i++) {
      taken.set(i, NOTED[i]);
      NOTED[i] = false;
    }
    return taken;
  }

  private Reach() {}
}
