package io.holdfast.jmh.log;

import io.holdfast.core.log.AppendLogContract;
import io.holdfast.core.log.LogFormat;

class Md5TwoLinesTest extends AppendLogContract {
  @Override
  protected LogFormat format() {
    return Checksummed.md5(14);
  }

  @Override
  protected int[] lengths() {
    return new int[] {14};
  }
}
