package io.holdfast.jmh.log;

import io.holdfast.core.log.AppendLogCrashContract;
import io.holdfast.core.log.LogFormat;

class Md5CrashTest extends AppendLogCrashContract {
  @Override
  protected LogFormat format() {
    return Checksummed.md5(3);
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
