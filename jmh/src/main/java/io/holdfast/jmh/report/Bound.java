package io.holdfast.jmh.report;

/// What one measurement must not exceed, whatever it is beside others: the targets of the issues
/// that name a time, a size or a count. Those that are ratios are {@link Target}s.
///
/// @param subject as {@link Results} calls it, without the number of entries
/// @param most in the measurement's unit
public record Bound(String subject, double most) {
  /// What is asked for.
  public String asked() {
    return "at most %,.2f".formatted(most);
  }

  public boolean isMet(double value) {
    return value <= most;
  }
}
