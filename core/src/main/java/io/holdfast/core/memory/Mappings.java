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
final class Mappings implements Runnable {
  final Arena arena = Arena.ofShared();

  private boolean areClosed;

  /// Idempotent, and to be repeated if it was cut off.
  void close() {
    try {
      PrivateThread.run("holdfast-unmapping", this);
    } catch (OutOfMemoryError e) { // there is no thread to be had
      run();
    }
  }

  @Override
  public synchronized void run() {
    if (!areClosed) {
      arena.close();
      areClosed = true;
    }
  }

  boolean areOpen() {
    return arena.scope().isAlive();
  }
}
