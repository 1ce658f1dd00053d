package io.holdfast.jmh.map;

/// Draws ranks, the k-th with a likelihood in proportion to 1 / k^theta: exactly so, by rejection
/// inversion (Hörmann, Derflinger: "Rejection-inversion to generate variates from monotone discrete
/// distributions", 1996). YCSB's own generator is exact for the first two ranks alone.
///
/// The integral of t^-theta from a half below a rank to a half above is inverted; what of a rank's
/// step lies above the curve is drawn again, less than one time in ten.
///
/// Thread-safe: it has no state.
public final class Zipf {
  private final long ranks;
  private final double theta;
  private final double power;
  private final double first;
  private final double last;
  private final double squeeze;

  /// @param ranks how many there are
  /// @param theta above 0, and not 1
  public Zipf(long ranks, double theta) {
    this.ranks = ranks;
    this.theta = theta;
    this.power = 1 - theta;
    this.first = integral(1.5) - 1;
    this.last = integral(ranks + 0.5);
    this.squeeze = 2 - inverse(integral(2.5) - likelihood(2));
  }

  /// A rank from 1 on.
  public long draw(Draws draws) {
    while (true) {
      double area = last + draws.unit() * (first - last);
      double x = inverse(area);
      long rank = Math.clamp((long) (x + 0.5), 1, ranks);
      if (rank - x <= squeeze || area >= integral(rank + 0.5) - likelihood(rank)) {
        return rank;
      }
    }
  }

  private double likelihood(double rank) {
    return Math.pow(rank, -theta);
  }

  private double integral(double x) {
    return (Math.pow(x, power) - 1) / power;
  }

  private double inverse(double area) {
    return Math.pow(1 + area * power, 1 / power);
  }
}
