package io.holdfast.core.log;

class CsoVbFreeBitCrashTest extends AppendLogCrashContract {
  @Override
  protected LogFormat format() {
    return new CsoVbFreeBit(3, 5, 2);
  }

  @Override
  protected int[] lengths() {
    return new int[] {24};
  }

  @Override
  protected long capacity() {
    return 1024;
  }

  @Override
  protected long masked(int index, long word) {
    return index % 8 == 5 ? word & ~4 : word;
  }
}
