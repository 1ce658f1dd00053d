package io.holdfast.jmh.log;

import io.holdfast.core.log.AppendLogCrashContract;
import io.holdfast.core.log.LogFormat;

class Md5TwoLinesCrashTest extends AppendLogCrashContract {
  @Override
  protected LogFormat format() {
    return Checksummed.md5(14);
  }

  @Override
  protected int[] lengths() {
    return new int[] {14, 14};
  }

  @Override
  protected long capacity() {
    return 512;
  }
}
