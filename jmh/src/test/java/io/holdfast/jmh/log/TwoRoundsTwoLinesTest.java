package io.holdfast.jmh.log;

import io.holdfast.core.log.AppendLogContract;
import io.holdfast.core.log.LogFormat;

class TwoRoundsTwoLinesTest extends AppendLogContract {
  @Override
  protected LogFormat format() {
    return new TwoRounds(14);
  }

  @Override
  protected int[] lengths() {
    return new int[] {14};
  }

  @Override
  protected long roundTrips(int appends) {
    return 2L * appends;
  }
}
