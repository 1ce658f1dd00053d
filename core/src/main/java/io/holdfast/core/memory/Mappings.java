package io.holdfast.core.memory;

import java.lang.foreign.Arena;

/// Mappings of a file that are closed together, after which no thread has access to them.
///
/// **MAPPING-6** The closing of a shared arena can't be repeated. If the stack ends in its middle,
/// a further call says that it is closed already, or waits for ever, as the JDK's steps happen to
/// be divided. So it runs in a thread of its own, whose stack has room, and once, whatever cuts off
/// who waits for that. Test: MappedMemoryTest.mapping6AClosingThatWasCutOffIsRepeated.
///
/// Thread-safe.
final class Mappings {
  final Arena arena = Arena.ofShared();

  /// Made before: code that can't make it would leave the file mapped.
  private final PrivateThread.Work<Void, RuntimeException> closing = this::closeOnce;

  private boolean areClosed;

  /// Idempotent, and to be repeated if it was cut off.
  void close() {
    try {
      PrivateThread.call("holdfast-unmapping", closing);
    } catch (OutOfMemoryError e) { // there is no thread to be had
      closeOnce();
    }
  }

  private synchronized Void closeOnce() {
    if (!areClosed) {
      arena.close();
      areClosed = true;
    }
    return null;
  }

  boolean areOpen() {
    return arena.scope().isAlive();
  }
}
