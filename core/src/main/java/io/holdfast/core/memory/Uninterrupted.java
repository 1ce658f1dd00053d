package io.holdfast.core.memory;

import io.holdfast.core.RegionAccessException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/// Runs file operations that an interrupt of the calling thread must not harm, and waits that it
/// must not end.
///
/// **INTERRUPT-1** An interruptible channel closes itself when its thread is interrupted. So the
/// operation opens its own channel, and is repeated after an interrupt: in a thread that nobody
/// interrupts, or it could begin anew for ever. It is done at the second attempt, however often the
/// calling thread is interrupted, and the interrupt is set again for the caller to see. Tests:
/// InterruptedOpeningTest.interrupt1*, InterruptsTest.interrupt1AnOpeningComesToItsEnd.
public final class Uninterrupted {
  /// An operation that can be repeated from its start, in another thread: it takes no lock that the
  /// calling thread holds.
  public interface Operation {
    void run() throws IOException;
  }

  public static void run(String what, Path path, Operation operation) {
    boolean interrupted = Thread.interrupted();
    try {
      operation.run();
    } catch (ClosedByInterruptException e) {
      interrupted = true;
      Thread.interrupted();
      repeat(what, path, operation);
    } catch (IOException e) {
      throw refused(what, path, e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /// A wait that is begun again after an interrupt.
  public interface Wait {
    void await() throws InterruptedException;
  }

  /// Waits on a monitor, which the thread holds, as long as something is so. An interrupt is set
  /// again after that.
  public static void awaitWhile(BooleanSupplier isSo, Object monitor) {
    await(
        () -> {
          while (isSo.getAsBoolean()) {
            monitor.wait();
          }
        });
  }

  /// Waits to the end, however often the thread is interrupted. An interrupt is set again after
  /// that.
  public static void await(Wait wait) {
    boolean interrupted = false;
    while (true) {
      try {
        wait.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static void repeat(String what, Path path, Operation operation) {
    PrivateThread.call(
        "holdfast-uninterrupted",
        () -> {
          try {
            operation.run();
            return null;
          } catch (IOException e) {
            throw refused(what, path, e);
          }
        });
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
