package io.holdfast.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.codec.Samples.Everything;
import io.holdfast.codec.Samples.Job;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Bytes and fingerprints of format version 1, word for word. Files hold them: a change here is a
/// new format version, never a repair of the test.
class FormatVersionOneTest {
  record Empty() {}

  static Stream<Arguments> goldenTable() {
    return Stream.of(
        row(0, "00000000"),
        row(1, "01000000"),
        row(-2, "feffffff"),
        row(0x01020304, "04030201"),
        row(0L, "0000000000000000"),
        row(0x0102030405060708L, "0807060504030201"),
        row(Long.MIN_VALUE, "0000000000000080"),
        row("", "00"),
        row("abc", "06 616263"),
        row("\u00e9\u00ff", "04 e9ff"),
        row("x".repeat(64), "8001" + "78".repeat(64)),
        row("\u20ac", "03 ac20"),
        row("a\u20ac", "05 6100 ac20"),
        row("\ud83d\ude00", "05 3dd8 00de"),
        row("\ud800", "03 00d8"),
        row(new byte[0], "00"),
        row(new byte[] {1, -1}, "02 01ff"),
        row(new byte[300], "ac02" + "00".repeat(300)),
        row(
            new Everything(1, 2, 3, 4L, "e", new byte[] {5}, new Job(6, "f")),
            "01000000 0200000000000000 01 03000000 01 0400000000000000 01 02 65 01 01 05"
                + " 01 06000000 01 02 66"),
        row(
            new Everything(-1, -1, null, null, null, null, null),
            "ffffffff ffffffffffffffff 00 00 00 00 00"));
  }

  @ParameterizedTest
  @MethodSource("goldenTable")
  void bytes(Object value, String expected) {
    Codec<Object> codec = Samples.codecFor(value);
    byte[] golden = Samples.hex(expected);
    assertThat(HexFormat.of().formatHex(Samples.encode(codec, value)))
        .isEqualTo(HexFormat.of().formatHex(golden));
    assertThat(Samples.decode(codec, golden)).isEqualTo(value);
  }

  @Test
  void lengths() {
    assertThat(length(0)).isEqualTo("00");
    assertThat(length(127)).isEqualTo("7f");
    assertThat(length(128)).isEqualTo("8001");
    assertThat(length(16_383)).isEqualTo("ff7f");
    assertThat(length(16_384)).isEqualTo("808001");
    assertThat(length(Integer.MAX_VALUE)).isEqualTo("ffffffff07");
  }

  /// The header of a string of 2^31 - 1 chars, which a test can't make.
  @Test
  void theHeaderOfTheLongestString() {
    EncodedOutput out = new EncodedOutput();
    out.writeVarint(-1);
    assertThat(HexFormat.of().formatHex(out.array(), 0, out.length())).isEqualTo("ffffffff0f");
  }

  @Test
  void anEmptyRecordHasNoBytes() {
    Codec<Empty> codec = Codec.of(Empty.class);
    assertThat(Samples.encode(codec, new Empty())).isEmpty();
    assertThat(Samples.decode(codec, new byte[0])).isEqualTo(new Empty());
  }

  @Test
  void fingerprints() {
    assertThat(Codec.of(Integer.class).fingerprint()).isEqualTo("Integer");
    assertThat(Codec.of(int.class).fingerprint()).isEqualTo("Integer");
    assertThat(Codec.of(Long.class).fingerprint()).isEqualTo("Long");
    assertThat(Codec.of(long.class).fingerprint()).isEqualTo("Long");
    assertThat(Codec.of(String.class).fingerprint()).isEqualTo("String");
    assertThat(Codec.of(byte[].class).fingerprint()).isEqualTo("byte[]");
    assertThat(Codec.of(Everything.class).fingerprint())
        .isEqualTo(
            "record io.holdfast.codec.Samples$Everything(i:int,l:long,boxedI:Integer,boxedL:Long,"
                + "text:String,bytes:byte[],"
                + "job:record io.holdfast.codec.Samples$Job(n:int,who:String))");
    assertThat(Codec.of(Empty.class).fingerprint())
        .isEqualTo("record io.holdfast.codec.FormatVersionOneTest$Empty()");
  }

  private static Arguments row(Object value, String bytes) {
    return Arguments.of(value, bytes);
  }

  private static String length(int value) {
    EncodedOutput out = new EncodedOutput();
    out.writeLength(value);
    assertThat(Samples.input(Arrays.copyOf(out.array(), out.length())).readLength())
        .isEqualTo(value);
    return HexFormat.of().formatHex(out.array(), 0, out.length());
  }
}
