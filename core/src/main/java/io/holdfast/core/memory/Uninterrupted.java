package io.holdfast.core.memory;

import io.holdfast.core.RegionAccessException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;

/// Runs file operations that an interrupt of the calling thread must not harm. An interruptible
/// channel closes itself when its thread is interrupted, so the operation opens its own channel, is
/// repeated after an interrupt, and the interrupt is set again for the caller to see.
public final class Uninterrupted {
  /// An operation that can be repeated from its start.
  public interface Operation {
    void run() throws IOException;
  }

  public static void run(String what, Path path, Operation operation) {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try {
          operation.run();
          return;
        } catch (ClosedByInterruptException e) {
          interrupted = true;
          Thread.interrupted();
        } catch (IOException e) {
          throw refused(what, path, e);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  static RegionAccessException refused(String what, Path path, IOException e) {
    return new RegionAccessException(
        "%s: cannot %s the file: %s: %s%s"
            .formatted(
                path,
                what,
                e.getClass().getSimpleName(),
                e.getMessage(),
                MapFailure.isOfAddresses(e)
                    ? "; " + MapFailure.REMEDY
                    : ". Check the path, its permissions and the device"),
        e);
  }

  private Uninterrupted() {}
}
