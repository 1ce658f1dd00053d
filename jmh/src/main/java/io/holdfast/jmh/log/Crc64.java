package io.holdfast.jmh.log;

/// The log with a checksum of 64 bits (CSO paper, 5.1): wrong for one torn entry of random data in
/// 2 to the power of 64, and slow.
public final class Crc64 extends Checksummed {
  public Crc64(int words) {
    super(35, words, new Ecma182());
  }

  @Override
  public String toString() {
    return "CRC64";
  }
}
