package io.holdfast.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is encoded comes back, and consumes its bytes to the last and none beyond.
class RoundTripTest {
  private static final int ROUNDS = 500;

  private final RandomValues values = RandomValues.draw();

  @Test
  void randomValuesComeBack() {
    for (int round = 0; round < ROUNDS; round++) {
      Samples.oneOfEach(values).forEach(this::comesBack);
    }
  }

  /// A collection reads values out of the middle of larger arrays, one after the other.
  @Test
  void valuesInOneBufferAreReadOneByOne() {
    EncodedOutput out = new EncodedOutput();
    for (int round = 0; round < ROUNDS / 10; round++) {
      List<Samples.Sample<?>> before = Samples.oneOfEach(values).toList();
      out.reset();
      out.writeLong(-1);
      before.forEach(sample -> write(sample, out));
      int length = out.length();
      out.writeLong(-1);

      EncodedInput in = new EncodedInput();
      in.reset(out.array(), Long.BYTES, length - Long.BYTES);
      for (Samples.Sample<?> sample : before) {
        assertThat((Object) sample.codec().decode(in)).as(values.rerun()).isEqualTo(sample.value());
      }
      in.expectEnd();
    }
  }

  private static <T> void write(Samples.Sample<T> sample, EncodedOutput out) {
    sample.codec().encode(sample.value(), out);
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

  @Test
  void everyCodePoint() {
    for (int c = 0; c <= Character.MAX_CODE_POINT; c += 64) {
      StringBuilder text = new StringBuilder();
      for (int i = c; i < c + 64; i++) {
        text.appendCodePoint(i);
      }
      comesBack(text.toString());
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
    comesBack(new Samples.Sample<>(Samples.codecFor(value), value));
  }

  private <T> void comesBack(Samples.Sample<T> sample) {
    byte[] bytes = sample.bytes();
    T after = Samples.decode(sample.codec(), bytes);
    assertThat((Object) after).as(values.rerun()).isEqualTo(sample.value());
    int size = sample.codec().fixedSize();
    if (size > 0) {
      assertThat(bytes).as(sample.codec().fingerprint()).hasSize(size);
    }
    if (sample.codec() instanceof WordCodec<T> words) {
      long word = words.toWord(sample.value());
      assertThat(words.fromWord(word)).as(values.rerun()).isEqualTo(sample.value());
      assertThat(Samples.input(Arrays.copyOf(bytes, Long.BYTES)).readLong()).isEqualTo(word);
    }
  }
}
