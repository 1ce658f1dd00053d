package io.holdfast.collections;

import io.holdfast.core.Durability;
import io.holdfast.core.memory.FlushMode;
import io.holdfast.core.memory.Memory;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.RecordingMemory;
import java.util.function.UnaryOperator;

/// Crashes of queues. Not in {@link QueueRegion}, because an explorer asks for the form of the
/// tests: a test that crashes nothing uses the region alone, and `.ci/run` runs it once.
final class QueueCrashes {
  private QueueCrashes() {}

  /// Explores with states, and with all that must hold of any opened region.
  static CrashExplorer<QueueRegion> explorer(
      String name, long initialBytes, Durability durability) {
    return explorer(name, memory -> memory, initialBytes, durability);
  }

  /// The same, on a device that has no room for the file to grow.
  static CrashExplorer<QueueRegion> explorerOfAFullDevice(String name, Durability durability) {
    return explorer(
            name,
            memory -> {
              ((RecordingMemory) memory).limitTo(QueueRegion.BYTES);
              return memory;
            },
            QueueRegion.BYTES,
            durability)
        .withoutDisk();
  }

  private static CrashExplorer<QueueRegion> explorer(
      String name, UnaryOperator<Memory> device, long initialBytes, Durability durability) {
    boolean isOrdered = durability == Durability.POWER_FAILURE;
    return CrashExplorer.of(
            name,
            memory -> {
              Memory bytes = device.apply(memory);
              return QueueRegion.open(
                  isOrdered ? FlushMode.POSTED.over(bytes) : bytes, initialBytes);
            })
        .surviving(durability)
        .state(QueueRegion::state)
        .check((opened, point) -> opened.check());
  }
}
