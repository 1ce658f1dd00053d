package io.holdfast.core.persistence;

import java.io.IOException;

/// Makes everything durable that was written to a file so far, which on a disk takes a tenth of a
/// millisecond or more: worth doing for many at once ({@link GroupSync}). Its string names the
/// file, for messages.
public interface DeviceSync {
  /// Waits until it is durable.
  ///
  /// @throws IOException if the device failed. What was written since the last sync may be lost
  ///   then, and a later sync says nothing of it (FACTS 4).
  void sync() throws IOException;
}
