package io.holdfast.jmh.queue;

/// A queue of elements of one size that is open, as benchmarks use it: by each thread through an
/// access of its own, because some peers keep state for a thread.
///
/// Thread-safe; what it hands out is not.
public interface BenchmarkQueue extends AutoCloseable {
  /// The queue, for the calling thread.
  Access access();

  /// Closes all accesses too; their threads have finished.
  @Override
  void close();

  /// A thread's.
  interface Access {
    /// Adds an element, whose array is the queue's from now on; when this returns it survives the
    /// process, if the queue does.
    void offer(byte[] element);

    /// Takes the oldest element.
    ///
    /// @return an array of the caller's own, or `null` if there is none
    byte[] poll();
  }
}
