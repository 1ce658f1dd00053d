package io.holdfast.testkit;

import java.util.List;

/// Where in the body the process was when it crashed.
///
/// @param acknowledged how many steps had returned
/// @param inFlight the step that had begun and not returned, `null` between steps
/// @param notes what the body had noted so far ({@link RecordingMemory#note})
public record CrashPoint(int acknowledged, String inFlight, List<String> notes) {
  /// One before which nothing was noted.
  public CrashPoint(int acknowledged, String inFlight) {
    this(acknowledged, inFlight, List.of());
  }

  @Override
  public String toString() {
    return "%d steps acknowledged, %s%s"
        .formatted(
            acknowledged,
            inFlight == null ? "none in flight" : "in flight: " + inFlight,
            notes.isEmpty() ? "" : ", noted: " + String.join("; ", notes));
  }
}
