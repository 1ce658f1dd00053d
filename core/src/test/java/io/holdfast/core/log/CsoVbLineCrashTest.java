package io.holdfast.core.log;

class CsoVbLineCrashTest extends AppendLogCrashContract {
  @Override
  protected LogFormat format() {
    return CsoVb.LINE;
  }

  @Override
  protected int[] lengths() {
    return new int[] {7, 3, 5};
  }

  @Override
  protected long capacity() {
    return 256;
  }
}
