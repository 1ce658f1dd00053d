package io.holdfast.core.log;

class CsoRandomTest extends AppendLogContract {
  @Override
  protected LogFormat format() {
    return CsoRandom.CSO_RANDOM;
  }

  @Override
  protected int[] lengths() {
    return new int[] {3, 0, 1, 4, 7, 8, 15, 16, 40, 100, 150};
  }
}
