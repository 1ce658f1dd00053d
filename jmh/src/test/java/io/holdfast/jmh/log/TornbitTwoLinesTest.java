package io.holdfast.jmh.log;

import io.holdfast.core.log.AppendLogContract;
import io.holdfast.core.log.LogFormat;

class TornbitTwoLinesTest extends AppendLogContract {
  @Override
  protected LogFormat format() {
    return new Tornbit(14);
  }

  @Override
  protected int[] lengths() {
    return new int[] {14};
  }
}
