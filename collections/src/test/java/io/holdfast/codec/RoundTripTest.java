package io.holdfast.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is encoded comes back, and consumes its bytes to the last and none beyond.
class RoundTripTest {
  private static final int ROUNDS = 2_000;

  private final RandomValues values = RandomValues.draw();

  @Test
  void randomValuesComeBack() {
    for (int round = 0; round < ROUNDS; round++) {
      values.oneOfEach().forEach(this::comesBack);
    }
  }

  /// A collection reads values out of the middle of larger arrays, one after the other.
  @Test
  void valuesInOneBufferAreReadOneByOne() {
    EncodedOutput out = new EncodedOutput();
    for (int round = 0; round < ROUNDS; round++) {
      Object[] before = values.oneOfEach().toArray();
      out.reset();
      out.writeLong(-1);
      for (Object value : before) {
        Samples.codecFor(value).encode(value, out);
      }
      int length = out.length();
      out.writeLong(-1);

      EncodedInput in = new EncodedInput();
      in.reset(out.array(), Long.BYTES, length - Long.BYTES);
      Object[] after = new Object[before.length];
      Arrays.setAll(after, i -> Samples.codecFor(before[i]).decode(in));
      assertThat(after).as(values.rerun()).isEqualTo(before);
      in.expectEnd();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, -1, 127, -128, 128, Integer.MIN_VALUE, Integer.MAX_VALUE})
  void integers(int value) {
    comesBack(value);
    comesBack((long) value);
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, Long.MAX_VALUE, 1L << 32, -1L << 32})
  void longs(long value) {
    comesBack(value);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\0",
        "a",
        "\u007f\u0080",
        "\u00ff",
        "\u0100",
        "na\u00efve",
        "\u20ac",
        "\ud83d\ude00 \ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67",
        "\ud800",
        "\udfff",
        "\udc00\ud800",
        "a\ud83d",
        "\ufffe\uffff\ufeff"
      })
  void stringsOfAllOfUnicode(String value) {
    comesBack(value);
  }

  @Test
  void everyCharAlone() {
    for (int c = Character.MIN_VALUE; c <= Character.MAX_VALUE; c++) {
      comesBack(String.valueOf((char) c));
    }
  }

  /// The number of chars, times two, is the varint in front of a string.
  @Test
  void stringsAndBytesOfEveryLengthAroundTheSizesOfAVarint() {
    for (int length : new int[] {62, 63, 64, 65, 126, 127, 128, 8_191, 8_192, 16_383, 16_384}) {
      comesBack("x".repeat(length));
      comesBack("\u20ac".repeat(length));
      comesBack(new byte[length]);
    }
  }

  @Test
  void aMebibyte() {
    comesBack("x".repeat(1 << 20));
    comesBack("x".repeat((1 << 20) - 1) + "\u20ac");
    comesBack(new byte[1 << 20]);
  }

  private void comesBack(Object value) {
    Codec<Object> codec = Samples.codecFor(value);
    Object after = Samples.decode(codec, Samples.encode(codec, value));
    assertThat(after).as(values.rerun()).isEqualTo(value);
  }
}
