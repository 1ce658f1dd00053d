package io.holdfast.jmh.log;

/// The log with the first bits of SHA-1 for a checksum (CSO paper, 5.1 and Table 1, "very slow").
public final class Sha1 extends Checksummed {
  public Sha1(int words) {
    super(38, words, new Digest("SHA-1"));
  }

  @Override
  public String toString() {
    return "SHA-1";
  }
}
