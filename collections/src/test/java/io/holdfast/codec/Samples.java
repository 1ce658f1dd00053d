package io.holdfast.codec;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/// The records of the tests and a few steps that all of them take.
final class Samples {
  record Job(int n, String who) {}

  /// Has each kind of component.
  record Everything(
      int i, long l, Integer boxedI, Long boxedL, String text, byte[] bytes, Job job) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Everything that
          && i == that.i
          && l == that.l
          && Objects.equals(boxedI, that.boxedI)
          && Objects.equals(boxedL, that.boxedL)
          && Objects.equals(text, that.text)
          && Arrays.equals(bytes, that.bytes)
          && Objects.equals(job, that.job);
    }

    @Override
    public int hashCode() {
      return Objects.hash(i, l, boxedI, boxedL, text, Arrays.hashCode(bytes), job);
    }
  }

  static final List<Codec<?>> CODECS =
      List.of(
          Codec.of(Integer.class),
          Codec.of(Long.class),
          Codec.of(String.class),
          Codec.of(byte[].class),
          Codec.of(Everything.class));

  private Samples() {}

  /// The codec of [#CODECS] for the value's class.
  @SuppressWarnings("unchecked") // chosen by the value's class
  static Codec<Object> codecFor(Object value) {
    int index =
        switch (value) {
          case Integer _ -> 0;
          case Long _ -> 1;
          case String _ -> 2;
          case byte[] _ -> 3;
          default -> 4;
        };
    return (Codec<Object>) CODECS.get(index);
  }

  static <T> byte[] encode(Codec<T> codec, T value) {
    EncodedOutput out = new EncodedOutput();
    codec.encode(value, out);
    return Arrays.copyOf(out.array(), out.length());
  }

  static <T> T decode(Codec<T> codec, byte[] bytes) {
    EncodedInput in = input(bytes);
    T value = codec.decode(in);
    in.expectEnd();
    return value;
  }

  static EncodedInput input(byte... bytes) {
    EncodedInput in = new EncodedInput();
    in.reset(bytes, 0, bytes.length);
    return in;
  }

  static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits.replace(" ", ""));
  }
}
