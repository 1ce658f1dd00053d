package io.holdfast.core.log;

class CsoVbTwoLinesCrashTest extends AppendLogCrashContract {
  @Override
  protected LogFormat format() {
    return CsoVb.TWO_LINES;
  }

  @Override
  protected int[] lengths() {
    return new int[] {14, 9, 2};
  }

  @Override
  protected long capacity() {
    return 512;
  }
}
