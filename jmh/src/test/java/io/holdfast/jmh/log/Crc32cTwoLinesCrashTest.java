package io.holdfast.jmh.log;

import io.holdfast.core.log.AppendLogCrashContract;
import io.holdfast.core.log.LogFormat;

class Crc32cTwoLinesCrashTest extends AppendLogCrashContract {
  @Override
  protected LogFormat format() {
    return Checksummed.crc32c(14);
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
