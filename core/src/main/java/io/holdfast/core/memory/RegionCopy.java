package io.holdfast.core.memory;

import io.holdfast.core.StoreClosedException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/// Makes a copy of the file of a region that is in use: what a crash would leave at one moment. For
/// one thread.
public interface RegionCopy {
  /// What it took.
  ///
  /// @param copied bytes that were copied, again and again
  /// @param held how long stores were held
  record Report(long copied, int rounds, Duration held) {}

  /// Copies to a file that is there, and empty.
  ///
  /// @throws IllegalStateException if another copy is being made
  /// @throws UnsupportedOperationException if the memory is no file
  /// @throws StoreClosedException if the region was closed meanwhile; what is in the file is of no
  ///   use
  /// @throws IOException if the system refuses, or the thread was interrupted; the same
  Report to(Path to) throws IOException;
}
