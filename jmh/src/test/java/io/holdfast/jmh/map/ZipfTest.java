package io.holdfast.jmh.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The same draws each time, so that this passes always or never.
class ZipfTest {
  private static final int DRAWS = 2_000_000;

  @ParameterizedTest
  @CsvSource({"1, 0.99", "2, 0.99", "3, 0.5", "10, 0.99", "10, 2", "1000, 0.99", "1000, 0.2"})
  void eachRankIsAsLikelyAsItShouldBe(int ranks, double theta) {
    Zipf zipf = new Zipf(ranks, theta);
    Draws draws = new Draws(1);
    long[] found = new long[ranks + 1];
    for (int i = 0; i < DRAWS; i++) {
      found[Math.toIntExact(zipf.draw(draws))]++;
    }
    double sum = 0;
    for (int rank = 1; rank <= ranks; rank++) {
      sum += Math.pow(rank, -theta);
    }
    double chiSquare = 0;
    for (int rank = 1; rank <= ranks; rank++) {
      double expected = DRAWS * Math.pow(rank, -theta) / sum;
      chiSquare += (found[rank] - expected) * (found[rank] - expected) / expected;
    }
    // Its mean is the degrees of freedom, its variance twice that.
    assertThat(chiSquare).isLessThan(ranks - 1 + 4 * Math.sqrt(2 * (ranks - 1)) + 1e-9);
  }

  @ParameterizedTest
  @CsvSource({"1000", "1000000"})
  void aScrambledItemIsAsPopularAsItsRank(int items) {
    ScrambledZipf zipf = new ScrambledZipf(items, new Draws(1), DRAWS);
    long[] found = new long[items];
    for (int i = 0; i < DRAWS; i++) {
      found[zipf.item()]++;
    }
    double popularity = 1 / zeta(ScrambledZipf.RANKS, ScrambledZipf.THETA);
    for (int rank = 1; rank <= 3; rank++) {
      int item = (int) Math.unsignedMultiplyHigh(Items.scatter(rank), items);
      // Others may have the same item, hardly ever popular ones.
      double share = popularity * Math.pow(rank, -ScrambledZipf.THETA);
      assertThat((double) found[item] / DRAWS).isCloseTo(share, within(0.0025));
    }
  }

  /// By the formula of Euler and Maclaurin after the first terms.
  private static double zeta(long n, double theta) {
    int first = 10_000;
    double sum = 0;
    for (int i = 1; i < first; i++) {
      sum += Math.pow(i, -theta);
    }
    double integral = (Math.pow(n, 1 - theta) - Math.pow(first, 1 - theta)) / (1 - theta);
    return sum + integral + (Math.pow(first, -theta) + Math.pow(n, -theta)) / 2;
  }

  @ParameterizedTest
  @CsvSource("26.469")
  void theConstantIsYcsbs(double zeta) {
    assertThat(zeta(ScrambledZipf.RANKS, ScrambledZipf.THETA)).isCloseTo(zeta, within(1e-3));
  }
}
