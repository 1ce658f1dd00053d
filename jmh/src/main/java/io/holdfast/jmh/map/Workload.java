package io.holdfast.jmh.map;

/// YCSB's core workloads (Cooper and others: "Benchmarking Cloud Serving Systems with YCSB", 2010,
/// Table 2), and those of them whose distribution is another one as well.
///
/// | workload | reads | the rest | items are drawn |
/// |---|---|---|---|
/// | A | 50 % | updates | as Zipf has them, scattered |
/// | B | 95 % | updates | the same |
/// | C | 100 % | | the same |
/// | D | 95 % | inserts | the latest most often |
/// | E | 95 % scans of 1 to 100 | inserts | as Zipf has them, scattered |
/// | F | 50 % | reads, each followed by an update of the same | the same |
/// | A, B, C_UNIFORM | as A, B, C | | all equally often |
public enum Workload {
  A(0.5, Rest.UPDATE, Drawn.ZIPFIAN),
  B(0.95, Rest.UPDATE, Drawn.ZIPFIAN),
  C(1, Rest.UPDATE, Drawn.ZIPFIAN),
  D(0.95, Rest.INSERT, Drawn.LATEST),
  E(0.95, Rest.INSERT, Drawn.ZIPFIAN),
  F(0.5, Rest.READ_AND_UPDATE, Drawn.ZIPFIAN),
  A_UNIFORM(0.5, Rest.UPDATE, Drawn.UNIFORM),
  B_UNIFORM(0.95, Rest.UPDATE, Drawn.UNIFORM),
  C_UNIFORM(1, Rest.UPDATE, Drawn.UNIFORM);

  /// What is not a read.
  enum Rest {
    UPDATE,
    INSERT,
    READ_AND_UPDATE
  }

  /// How items are drawn.
  enum Drawn {
    ZIPFIAN,
    LATEST,
    UNIFORM
  }

  /// Of 2^32 draws.
  final long reads;

  final Rest rest;
  final Drawn drawn;

  Workload(double share, Rest rest, Drawn drawn) {
    this.reads = (long) (share * (1L << 32));
    this.rest = rest;
    this.drawn = drawn;
  }

  /// Whether its reads are scans, which only a sorted map has.
  public boolean scans() {
    return this == E;
  }

  /// Whether it makes the map larger.
  public boolean inserts() {
    return rest == Rest.INSERT;
  }
}
