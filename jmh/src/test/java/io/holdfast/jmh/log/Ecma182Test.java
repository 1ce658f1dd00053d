package io.holdfast.jmh.log;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class Ecma182Test {
  /// The value that catalogues of CRCs give for `123456789`.
  private static final long CHECK = 0x6C40DF5F0B497347L;

  @Test
  void theCheckValue() {
    byte[] digits = "123456789".getBytes(US_ASCII);
    Ecma182 crc = new Ecma182();
    crc.update(digits, 0, digits.length);
    assertThat(crc.getValue()).isEqualTo(CHECK);
    crc.reset();
    for (byte digit : digits) {
      crc.update(digit);
    }
    assertThat(crc.getValue()).isEqualTo(CHECK);
  }
}
