package io.holdfast.codec;

/// Checks while they are read that keys come in the order of their bytes, as [AscendingPieces] has
/// put them.
final class AscendingCheck {
  private final EncodedInput in;
  private int lastStart;
  private int lastEnd = -1;
  private int start;

  AscendingCheck(EncodedInput in) {
    this.in = in;
  }

  void beginKey() {
    start = in.position();
  }

  void endKey() {
    int end = in.position();
    if (lastEnd >= 0 && in.compare(lastStart, lastEnd, start, end) >= 0) {
      throw in.refused("Cannot read a set or a map: its bytes are not in ascending order");
    }
    lastStart = start;
    lastEnd = end;
  }

  /// Other bytes, yet an equal value: this is not what a set can hold.
  void expectNew(boolean added) {
    if (!added) {
      throw in.refused("Cannot read a set or a map: it has two equal elements");
    }
  }
}
