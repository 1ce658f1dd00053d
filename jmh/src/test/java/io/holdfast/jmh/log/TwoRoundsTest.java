package io.holdfast.jmh.log;

import io.holdfast.core.log.AppendLogContract;
import io.holdfast.core.log.LogFormat;

class TwoRoundsTest extends AppendLogContract {
  @Override
  protected LogFormat format() {
    return new TwoRounds(3);
  }

  @Override
  protected int[] lengths() {
    return new int[] {3};
  }

  @Override
  protected long roundTrips(int appends) {
    return 2L * appends;
  }
}
