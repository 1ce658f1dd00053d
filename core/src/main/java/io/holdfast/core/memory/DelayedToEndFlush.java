package io.holdfast.core.memory;

/// Remembers every line that a section stored to, and flushes them at its end (Atlas, 5.2,
/// "Delayed-l").
final class DelayedToEndFlush extends DataFlush {
  private final WriteBacks writeBacks;
  private final LineSet lines = new LineSet();

  DelayedToEndFlush(WriteBacks writeBacks) {
    this.writeBacks = writeBacks;
  }

  @Override
  void stored(long line) {
    lines.add(line);
  }

  @Override
  void flush() {
    lines.forEach(writeBacks::flush);
    lines.clear();
  }
}
