package io.holdfast.core.log;

/// Entries of three lines, which do not fit into a ring evenly.
class CsoVbFreeBitTest extends AppendLogContract {
  @Override
  protected LogFormat format() {
    return new CsoVbFreeBit(3, 5, 2);
  }

  @Override
  protected int[] lengths() {
    return new int[] {24};
  }

  @Override
  protected long masked(int index, long word) {
    return index % 8 == 5 ? word & ~4 : word;
  }
}
