package io.holdfast.jmh.log;

import io.holdfast.core.log.AppendLogContract;
import io.holdfast.core.log.LogFormat;

class Sha1Test extends AppendLogContract {
  @Override
  protected LogFormat format() {
    return Checksummed.sha1(3);
  }

  @Override
  protected int[] lengths() {
    return new int[] {3};
  }
}
