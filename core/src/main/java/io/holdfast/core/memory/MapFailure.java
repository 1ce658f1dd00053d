package io.holdfast.core.memory;

import java.io.IOException;

/// Tells a process that has too few addresses to map a file from a device that has no room for it.
final class MapFailure {
  /// What to do about it.
  static final String REMEDY =
      "the process has too few addresses to map the file: raise its limit (ulimit -v), or"
          + " vm.max_map_count";

  private MapFailure() {}

  /// Whether the JDK says by an exception that `mmap` has returned `ENOMEM`.
  static boolean isOfAddresses(Throwable exception) {
    return exception instanceof IOException && exception.getCause() instanceof OutOfMemoryError;
  }
}
