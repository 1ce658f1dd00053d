package io.holdfast.core.memory;

/// Flushes each store's line at once (Atlas, 5.2, "Eager"). Nothing waits for that: the fence that
/// the next undo entry needs anyway waits for both.
final class EagerFlush extends DataFlush {
  private final WriteBacks writeBacks;

  EagerFlush(WriteBacks writeBacks) {
    this.writeBacks = writeBacks;
  }

  @Override
  void stored(long line) {
    writeBacks.flush(line);
  }

  @Override
  void flush() {
    // Nothing is left.
  }
}
