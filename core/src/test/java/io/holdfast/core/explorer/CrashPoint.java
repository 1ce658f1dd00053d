package io.holdfast.core.explorer;

/// Where in the body the process was when it crashed.
///
/// @param acknowledged how many steps had returned
/// @param inFlight the step that had begun and not returned, `null` between steps
public record CrashPoint(int acknowledged, String inFlight) {
  @Override
  public String toString() {
    return "%d steps acknowledged, %s"
        .formatted(acknowledged, inFlight == null ? "none in flight" : "in flight: " + inFlight);
  }
}
