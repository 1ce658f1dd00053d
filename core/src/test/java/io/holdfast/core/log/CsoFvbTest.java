package io.holdfast.core.log;

class CsoFvbTest extends AppendLogContract {
  @Override
  protected LogFormat format() {
    return CsoFvb.CSO_FVB;
  }

  @Override
  protected int[] lengths() {
    return new int[] {3, 0, 1, 4, 7, 8, 15, 16, 40, 100, 150};
  }
}
