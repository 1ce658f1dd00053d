package io.holdfast.jmh.report;

import org.openjdk.jmh.util.Statistics;

/// A mark of a plot: a median, and between what half of the values are.
public record Mark(double value, double low, double high) {
  public static Mark of(Statistics values) {
    return new Mark(values.getPercentile(50), values.getPercentile(25), values.getPercentile(75));
  }

  /// Thousand operations a second of some threads together, from nanoseconds of one.
  static Mark ofThroughput(int threads, Statistics nanos) {
    Mark time = of(nanos);
    return new Mark(
        threads * 1e6 / time.value, threads * 1e6 / time.high, threads * 1e6 / time.low);
  }

  /// How many times as long one takes as another; at the least, the lower quarter of the one and
  /// the upper of the other.
  public static Mark ofRatio(Statistics of, Statistics to) {
    Mark one = of(of);
    Mark other = of(to);
    return new Mark(one.value / other.value, one.low / other.high, one.high / other.low);
  }

  /// So many times that.
  public Mark times(double factor) {
    return new Mark(factor * value, factor * low, factor * high);
  }
}
