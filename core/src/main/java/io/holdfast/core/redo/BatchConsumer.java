package io.holdfast.core.redo;

import java.nio.ByteBuffer;

/// Takes the batches of a log in their order.
@FunctionalInterface
interface BatchConsumer {
  /// @param isComplete whether this is the last batch of its epoch
  /// @param payload read-only, little-endian, and valid during the call alone
  void accept(long epoch, boolean isComplete, ByteBuffer payload);
}
