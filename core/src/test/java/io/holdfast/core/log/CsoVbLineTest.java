package io.holdfast.core.log;

class CsoVbLineTest extends AppendLogContract {
  @Override
  protected LogFormat format() {
    return CsoVb.LINE;
  }

  @Override
  protected int[] lengths() {
    return new int[] {0, 3, 5, 7};
  }
}
