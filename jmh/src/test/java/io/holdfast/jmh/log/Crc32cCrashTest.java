package io.holdfast.jmh.log;

import io.holdfast.core.log.AppendLogCrashContract;
import io.holdfast.core.log.LogFormat;

class Crc32cCrashTest extends AppendLogCrashContract {
  @Override
  protected LogFormat format() {
    return Checksummed.crc32c(3);
  }

  @Override
  protected int[] lengths() {
    return new int[] {3, 3};
  }

  @Override
  protected long capacity() {
    return 128;
  }
}
