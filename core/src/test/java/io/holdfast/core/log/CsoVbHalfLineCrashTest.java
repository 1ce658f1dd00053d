package io.holdfast.core.log;

class CsoVbHalfLineCrashTest extends AppendLogCrashContract {
  @Override
  protected LogFormat format() {
    return CsoVb.HALF_LINE;
  }

  @Override
  protected int[] lengths() {
    return new int[] {3, 1, 2};
  }

  @Override
  protected long capacity() {
    return 128;
  }
}
