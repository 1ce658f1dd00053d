package io.holdfast.codec;

import static java.util.Map.entry;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;

/// The leaves of `java.lang`, `java.math` and `java.util`.
final class Leaves {
  static final Codec<Boolean> BOOLEAN =
      new WordLeafCodec<>("Boolean", 1, value -> value ? 1 : 0, word -> word != 0);
  static final Codec<Byte> BYTE =
      new WordLeafCodec<>("Byte", Byte.BYTES, Byte::longValue, word -> (byte) word);
  static final Codec<Short> SHORT =
      new WordLeafCodec<>("Short", Short.BYTES, Short::longValue, word -> (short) word);
  static final Codec<Character> CHARACTER =
      new WordLeafCodec<>("Character", Character.BYTES, value -> value, word -> (char) word);
  static final Codec<Integer> INTEGER =
      new WordLeafCodec<>("Integer", Integer.BYTES, Integer::longValue, word -> (int) word);
  static final Codec<Long> LONG = new LongCodec();

  /// All that is not a number is one value, as for `equals`; so 0.0 and -0.0 are two.
  static final Codec<Float> FLOAT =
      new WordLeafCodec<>(
          "Float", Float.BYTES, Float::floatToIntBits, word -> Float.intBitsToFloat((int) word));

  static final Codec<Double> DOUBLE =
      new WordLeafCodec<>(
          "Double", Double.BYTES, Double::doubleToLongBits, Double::longBitsToDouble);
  static final Codec<String> STRING = new StringCodec();
  static final Codec<UUID> UUID =
      new LeafCodec<>("UUID", 2 * Long.BYTES, Leaves::write, Leaves::readUuid);
  static final Codec<BigInteger> BIG_INTEGER =
      new LeafCodec<>("BigInteger", 0, Leaves::write, Leaves::readBigInteger);

  /// With its scale: 1.0 and 1.00 are two values, as for `equals`.
  static final Codec<BigDecimal> BIG_DECIMAL =
      new LeafCodec<>("BigDecimal", 0, Leaves::write, Leaves::readBigDecimal);

  static final Codec<OptionalInt> OPTIONAL_INT =
      new LeafCodec<>(
          "OptionalInt", 0, Leaves::write, Leaves::readOptionalInt, OptionalInt.empty());
  static final Codec<OptionalLong> OPTIONAL_LONG =
      new LeafCodec<>(
          "OptionalLong", 0, Leaves::write, Leaves::readOptionalLong, OptionalLong.empty());
  static final Codec<OptionalDouble> OPTIONAL_DOUBLE =
      new LeafCodec<>(
          "OptionalDouble", 0, Leaves::write, Leaves::readOptionalDouble, OptionalDouble.empty());

  /// The primitive classes stand for their wrappers here; in a record [ComponentHandles] treats
  /// them itself, without a box.
  static final Map<Class<?>, Codec<?>> BY_CLASS =
      Map.ofEntries(
          entry(boolean.class, BOOLEAN),
          entry(Boolean.class, BOOLEAN),
          entry(byte.class, BYTE),
          entry(Byte.class, BYTE),
          entry(short.class, SHORT),
          entry(Short.class, SHORT),
          entry(char.class, CHARACTER),
          entry(Character.class, CHARACTER),
          entry(int.class, INTEGER),
          entry(Integer.class, INTEGER),
          entry(long.class, LONG),
          entry(Long.class, LONG),
          entry(float.class, FLOAT),
          entry(Float.class, FLOAT),
          entry(double.class, DOUBLE),
          entry(Double.class, DOUBLE),
          entry(String.class, STRING),
          entry(UUID.class, UUID),
          entry(BigInteger.class, BIG_INTEGER),
          entry(BigDecimal.class, BIG_DECIMAL),
          entry(OptionalInt.class, OPTIONAL_INT),
          entry(OptionalLong.class, OPTIONAL_LONG),
          entry(OptionalDouble.class, OPTIONAL_DOUBLE));

  private Leaves() {}

  private static void write(UUID value, EncodedOutput out) {
    out.writeLong(value.getMostSignificantBits());
    out.writeLong(value.getLeastSignificantBits());
  }

  private static UUID readUuid(EncodedInput in) {
    return new UUID(in.readLong(), in.readLong());
  }

  private static void write(BigInteger value, EncodedOutput out) {
    byte[] bytes = value.toByteArray();
    if (!value.getClass().equals(BigInteger.class)) { // it could give others than the shortest
      bytes = new BigInteger(bytes).toByteArray();
    }
    out.writeLength(bytes.length);
    out.writeBytes(bytes, 0, bytes.length);
  }

  private static BigInteger readBigInteger(EncodedInput in) {
    byte[] bytes = in.readBytes(in.readLength());
    BigInteger value = new BigInteger(bytes);
    if (value.bitLength() / Byte.SIZE + 1 != bytes.length) {
      throw in.refused("Cannot read BigInteger: it is not in its shortest form");
    }
    return value;
  }

  private static void write(BigDecimal value, EncodedOutput out) {
    out.writeInt(value.scale());
    write(value.unscaledValue(), out);
  }

  private static BigDecimal readBigDecimal(EncodedInput in) {
    int scale = in.readInt();
    return new BigDecimal(readBigInteger(in), scale);
  }

  private static void write(OptionalInt value, EncodedOutput out) {
    out.writeBoolean(value.isPresent());
    if (value.isPresent()) {
      out.writeInt(value.getAsInt());
    }
  }

  private static OptionalInt readOptionalInt(EncodedInput in) {
    return in.readBoolean() ? OptionalInt.of(in.readInt()) : OptionalInt.empty();
  }

  private static void write(OptionalLong value, EncodedOutput out) {
    out.writeBoolean(value.isPresent());
    if (value.isPresent()) {
      out.writeLong(value.getAsLong());
    }
  }

  private static OptionalLong readOptionalLong(EncodedInput in) {
    return in.readBoolean() ? OptionalLong.of(in.readLong()) : OptionalLong.empty();
  }

  private static void write(OptionalDouble value, EncodedOutput out) {
    out.writeBoolean(value.isPresent());
    if (value.isPresent()) {
      out.writeDouble(value.getAsDouble());
    }
  }

  private static OptionalDouble readOptionalDouble(EncodedInput in) {
    return in.readBoolean() ? OptionalDouble.of(in.readDouble()) : OptionalDouble.empty();
  }
}
