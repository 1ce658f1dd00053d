package io.holdfast.jmh.log;

/// The log with MD5 for a checksum (CSO paper, 5.1 and Table 1, "very slow"). Whoever chooses the
/// data can have a torn entry taken for a whole one, which the paper excludes: two lines with the
/// same MD5 are known.
public final class Md5 extends Checksummed {
  public Md5(int words) {
    super(37, words, new Digest("MD5"));
  }

  @Override
  public String toString() {
    return "MD5";
  }
}
