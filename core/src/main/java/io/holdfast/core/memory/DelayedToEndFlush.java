package io.holdfast.core.memory;

/// Remembers every line that a section stored to, and flushes them at its end (Atlas, 5.2,
/// "Delayed-l").
class DelayedToEndFlush extends DataFlush {
  private final WriteBacks writeBacks;
  private LineSet lines = new LineSet();

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

  /// Hands the lines over to somebody else.
  final LineSet takeLines() {
    LineSet taken = lines;
    lines = new LineSet();
    return taken;
  }
}
