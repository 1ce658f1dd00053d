package io.holdfast.core.log;

class CsoVbTwoLinesTest extends AppendLogContract {
  @Override
  protected LogFormat format() {
    return CsoVb.TWO_LINES;
  }

  @Override
  protected int[] lengths() {
    return new int[] {14, 3, 1, 9};
  }
}
