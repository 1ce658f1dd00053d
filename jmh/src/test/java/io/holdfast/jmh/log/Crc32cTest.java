package io.holdfast.jmh.log;

import io.holdfast.core.log.AppendLogContract;
import io.holdfast.core.log.LogFormat;

class Crc32cTest extends AppendLogContract {
  @Override
  protected LogFormat format() {
    return Checksummed.crc32c(3);
  }

  @Override
  protected int[] lengths() {
    return new int[] {3};
  }
}
