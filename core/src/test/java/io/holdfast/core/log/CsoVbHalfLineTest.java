package io.holdfast.core.log;

class CsoVbHalfLineTest extends AppendLogContract {
  @Override
  protected LogFormat format() {
    return CsoVb.HALF_LINE;
  }

  @Override
  protected int[] lengths() {
    return new int[] {0, 1, 2, 3};
  }
}
