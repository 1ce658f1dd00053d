package io.holdfast.core.memory;

import java.io.IOException;

/// Tells a process that has too few addresses to map a file from a device that has no room for it.
final class MapFailure {
  /// What to do about it.
  static final String REMEDY =
      "the process has too few addresses to map the file: raise its limit (ulimit -v), or"
          + " vm.max_map_count";

  private MapFailure() {}

  /// What to do about a file that can't grow.
  static String remedy(Throwable cause) {
    String message = String.valueOf(cause.getMessage());
    if (message.endsWith(FileIdentity.WHILE_OPEN)) {
      return "move the file that was opened to its place again, or, if it is deleted, copy what"
          + " this store has into another one before it is closed";
    }
    return isOfAddresses(cause)
        ? REMEDY
        : message.contains("Too many open files")
            ? "the process has too many files open: close some, or raise its limit (ulimit -n)"
            : "make room on the device, or raise the quota or file-size limit";
  }

  /// Whether the JDK says by an exception that `mmap` has returned `ENOMEM`.
  static boolean isOfAddresses(Throwable exception) {
    return exception instanceof IOException && exception.getCause() instanceof OutOfMemoryError;
  }
}
