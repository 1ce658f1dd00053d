package io.holdfast.collections.map;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyedHashTest {
  /// What CPython 3.11 computes as `hash(bytes)`, which is SipHash-1-3, with the secret 0.
  @ParameterizedTest
  @CsvSource({
    "a, 407448d2b89b1813",
    "abcdefgh, 3f7b849c0b8e35ea",
    "'holdfast, a map', ec621737ce331662"
  })
  void isSipHash(String text, String expected) {
    Encoded key = Encoded.of(text.getBytes(StandardCharsets.US_ASCII));
    assertThat(Long.toHexString(new KeyedHash(0, 0).hash(key))).isEqualTo(expected);
  }

  @Test
  void ofFourWordsToo() {
    byte[] bytes = new byte[32];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (i + 1);
    }
    assertThat(new KeyedHash(0, 0).hash(bytes, 32)).isEqualTo(0x225145c032cf0d8bL);
  }

  @Test
  void aWordIsItsEightBytes() {
    KeyedHash hash = new KeyedHash(3, 5);
    Encoded word = Encoded.of(0x0123_4567_89AB_CDEFL);
    assertThat(hash.hash(word.word())).isEqualTo(hash.hash(word.bytes(), 8));
    assertThat(hash.hash(word)).isNotEqualTo(new KeyedHash(3, 6).hash(word));
  }
}
