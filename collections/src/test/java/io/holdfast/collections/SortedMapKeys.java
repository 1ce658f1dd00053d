package io.holdfast.collections;

import io.holdfast.codec.Codec;
import io.holdfast.codec.EncodedInput;
import io.holdfast.codec.EncodedOutput;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;

/// Kinds of keys that a sorted map is tested with.
///
/// @param comparator `null` for the natural order
/// @param numbered a key for each number from 0 on, in no order
record SortedMapKeys<K>(
    String name, Codec<K> codec, Comparator<? super K> comparator, LongFunction<K> numbered) {
  static List<SortedMapKeys<?>> all() {
    return List.of(
        new SortedMapKeys<>("Long", Codec.of(Long.class), null, SortedMapKeys::scattered),
        new SortedMapKeys<>(
            "String", Codec.of(String.class), null, SortedMapKeys::withACommonPrefix),
        new SortedMapKeys<>("Bytes", new BytesCodec(), null, SortedMapKeys::bytes),
        new SortedMapKeys<>(
            "ignoring case",
            Codec.of(String.class),
            String.CASE_INSENSITIVE_ORDER,
            SortedMapKeys::levelWithOthers));
  }

  @Override
  public String toString() {
    return name;
  }

  /// Half of them near each other, half of them anywhere.
  private static long scattered(long number) {
    return number % 2 == 0 ? number * 3 - 1_000 : number * 0x9E3779B97F4A7C15L;
  }

  /// Every third is nearly as long as can be, so that inner nodes have few children.
  private static String withACommonPrefix(long number) {
    String prefix = number % 3 == 0 ? "prefix/".repeat(33) : "prefix/of/most/";
    return prefix + Long.toString(number * 7_919 % 100_003, 36);
  }

  /// Of 0 to 20 bytes, of which the last ones tell them apart; none of them is text.
  private static Bytes bytes(long number) {
    byte[] bytes = new byte[(int) (number % 21)];
    long rest = number / 21;
    for (int i = bytes.length - 1; i >= 0; i--, rest /= 256) {
      bytes[i] = (byte) (rest + (i == 0 ? 0x70 : 0));
    }
    return new Bytes(bytes);
  }

  private static String levelWithOthers(long number) {
    String text = "Key " + number / 2;
    return number % 2 == 0 ? text : text.toUpperCase(Locale.ROOT);
  }

  /// Bytes without a sign. Other codecs than the built-in ones may call different bytes level, so
  /// leaves are searched without fingerprints.
  record Bytes(byte[] bytes) implements Comparable<Bytes> {
    @Override
    public int compareTo(Bytes other) {
      return Arrays.compareUnsigned(bytes, other.bytes);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Bytes its && Arrays.equals(bytes, its.bytes);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
      return Arrays.toString(bytes);
    }
  }

  private static final class BytesCodec implements Codec<Bytes> {
    @Override
    public String fingerprint() {
      return "bytes";
    }

    @Override
    public void encode(Bytes value, EncodedOutput out) {
      out.writeBytes(value.bytes(), 0, value.bytes().length);
    }

    @Override
    public Bytes decode(EncodedInput in) {
      return new Bytes(in.readBytes(in.remaining()));
    }
  }
}
