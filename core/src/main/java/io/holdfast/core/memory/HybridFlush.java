package io.holdfast.core.memory;

/// Keeps the lines that were stored to in a small direct-mapped table, in which a line that finds
/// its place taken has the other one flushed (Atlas, 5.2, "Hybrid"). So a line that is stored to
/// again and again is flushed once, and there are never many to flush at a time.
final class HybridFlush extends DataFlush {
  private final DirtyLines lines;

  HybridFlush(WriteBacks writeBacks) {
    this.lines = new DirtyLines(writeBacks);
  }

  @Override
  void stored(long line) {
    lines.addLine(line);
  }

  @Override
  void flush() {
    lines.flushAll();
  }
}
