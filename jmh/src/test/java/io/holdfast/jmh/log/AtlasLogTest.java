package io.holdfast.jmh.log;

import io.holdfast.core.log.AppendLogContract;
import io.holdfast.core.log.LogFormat;

class AtlasLogTest extends AppendLogContract {
  @Override
  protected LogFormat format() {
    return new AtlasLog();
  }

  @Override
  protected int[] lengths() {
    return new int[] {3};
  }

  /// The first entry of a line takes two, the second one.
  @Override
  protected long roundTrips(int appends) {
    return appends + (appends + 1) / 2;
  }
}
