package io.holdfast.stress.workload;

/// {@link AtomicTransfer} of so many tokens at a time that a section needs more entries than a log
/// ring holds (62), and often more than a chunk (2,046).
public final class LargeSections extends AtomicTransfer {
  public LargeSections() {
    super(new Shape(3_000, 1_500, 0));
  }

  @Override
  String style() {
    return "large";
  }
}
