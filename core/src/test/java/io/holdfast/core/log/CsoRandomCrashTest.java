package io.holdfast.core.log;

class CsoRandomCrashTest extends AppendLogCrashContract {
  @Override
  protected LogFormat format() {
    return CsoRandom.CSO_RANDOM;
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
