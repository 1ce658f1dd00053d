package io.holdfast.jmh.log;

import java.util.zip.CRC32C;

/// The log with the checksum that processors have an instruction for (CSO paper, 5.1): fast, and
/// wrong for one torn entry of random data in 2 to the power of 32.
public final class Crc32c extends Checksummed {
  public Crc32c(int words) {
    super(34, words, new CRC32C());
  }

  @Override
  public String toString() {
    return "CRC32C";
  }
}
