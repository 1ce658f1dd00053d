package io.holdfast.core.memory;

/// When one thread flushes the lines of its data ({@link FlushMode}). Data are stores that an undo
/// entry protects: durable or not, a crash undoes them, as long as their section is not durable. So
/// a line may be flushed at any time from its store on, and must be before the section is durable.
///
/// Not thread-safe: each thread has its own.
abstract class DataFlush {
  /// Data were stored to a line.
  abstract void stored(long line);

  /// Starts writing back all lines that were stored to and not flushed since.
  abstract void flush();

  /// Stores the word of a section that ends and waits: see {@link Memory#writeEnd}.
  ///
  /// @param memory the memory that this is a part of
  EndMark end(OrderedMemory memory, long offset, long value) {
    return memory.storeEnd(offset, value);
  }
}
