package io.holdfast.jmh.log;

import io.holdfast.core.log.LogRing;

/// The paper's baseline (CSO paper, 5.1): write the data and flush it, then link the entry to the
/// one before and flush the link. Two round trips for each entry, of any size.
public final class TwoRounds extends Linked {
  public TwoRounds(int words) {
    super(32, words);
  }

  @Override
  public long append(LogRing ring, long position, long[] payload, int words) {
    writePayload(ring, ring.at(position), payload, words);
    linkInTwoRounds(ring, position);
    return position + bytes();
  }

  @Override
  public String toString() {
    return "TwoRounds";
  }
}
