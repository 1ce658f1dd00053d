package io.holdfast.jmh.report;

/// What a benchmark is compared with, as a ratio of times in one run: the machine may be slow or
/// shared, both sides are on it.
///
/// @param subject `Class.method`
/// @param baseline `Class.method`
/// @param most the greatest ratio of the subject's time to the baseline's that meets the target;
///   not a number where a ratio is reported and not judged
public record Target(String subject, String baseline, double most) {
  /// Of a ratio that is reported and not judged.
  public static final double REPORTED = Double.NaN;

  /// Whether there is a target, and not a ratio alone.
  public boolean isJudged() {
    return !Double.isNaN(most);
  }

  /// What is asked for.
  public String asked() {
    return "at most %.2f".formatted(most);
  }

  public boolean isMet(double ratio) {
    return ratio <= most;
  }
}
