package io.holdfast.jmh.log;

import java.util.zip.Checksum;

/// CRC-64 as ECMA-182 defines it: a table, a byte at a time, as the implementation that the CSO
/// paper measured (5.1). The highest bit is the first, nothing is inverted.
public final class Ecma182 implements Checksum {
  private static final long POLYNOMIAL = 0x42F0E1EBA9EA3693L;
  private static final long[] TABLE = new long[256];

  static {
    for (int i = 0; i < TABLE.length; i++) {
      long remainder = (long) i << 56;
      for (int bit = 0; bit < 8; bit++) {
        remainder = remainder << 1 ^ (remainder < 0 ? POLYNOMIAL : 0);
      }
      TABLE[i] = remainder;
    }
  }

  private long remainder;

  @Override
  public void update(int b) {
    remainder = remainder << 8 ^ TABLE[(int) (remainder >>> 56) ^ b & 0xFF];
  }

  @Override
  public void update(byte[] bytes, int at, int length) {
    long r = remainder;
    for (int i = at; i < at + length; i++) {
      r = r << 8 ^ TABLE[(int) (r >>> 56) ^ bytes[i] & 0xFF];
    }
    remainder = r;
  }

  @Override
  public long getValue() {
    return remainder;
  }

  @Override
  public void reset() {
    remainder = 0;
  }
}
