package io.holdfast.core.log;

import io.holdfast.core.memory.RegionLayout;
import jdk.jfr.FlightRecorder;

/// Tells JFR that logs have taken more space.
final class LogGrowth {
  /// Never throws: the section needs its log more than anybody needs the event. An error while the
  /// event's class is initialized makes that class unusable for the life of the JVM (JLS 12.4.2).
  ///
  /// @param slot number of the log; -1 for further logs
  static void tell(String region, int slot) {
    try {
      if (FlightRecorder.isInitialized()) { // else a new process would wait for the event's class
        new LogGrowthEvent(region, slot, RegionLayout.SPAN_BYTES).commit();
      }
    } catch (RuntimeException | Error e) {
      // There is no event then.
    }
  }

  private LogGrowth() {}
}
