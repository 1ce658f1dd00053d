package io.holdfast.core.persistence;

/// Writes cache lines back: what is below {@link CacheLine}. An abstract class, not an interface,
/// so that with one implementation loaded every call is inlined.
abstract class WriteBack {
  /// Starts writing back the lines from an address, a line's first, on.
  abstract void writeBack(long address, long length);

  /// Waits for what this thread has started.
  abstract void fence();
}
