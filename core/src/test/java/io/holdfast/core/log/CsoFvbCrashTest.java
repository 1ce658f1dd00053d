package io.holdfast.core.log;

class CsoFvbCrashTest extends AppendLogCrashContract {
  @Override
  protected LogFormat format() {
    return CsoFvb.CSO_FVB;
  }

  @Override
  protected int[] lengths() {
    return new int[] {3, 8, 20, 4, 13};
  }

  @Override
  protected long capacity() {
    return 512;
  }
}
