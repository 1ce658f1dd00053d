package io.holdfast.codec;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;

/// The leaves of `java.lang`, `java.math` and `java.util`.
final class Leaves {
  /// The primitive classes stand for their wrappers here; in a record [ComponentHandles] treats
  /// them itself, without a box.
  static final List<Class<?>> ALL =
      List.of(
          boolean.class,
          Boolean.class,
          byte.class,
          Byte.class,
          short.class,
          Short.class,
          char.class,
          Character.class,
          int.class,
          Integer.class,
          long.class,
          Long.class,
          float.class,
          Float.class,
          double.class,
          Double.class,
          String.class,
          UUID.class,
          BigInteger.class,
          BigDecimal.class,
          OptionalInt.class,
          OptionalLong.class,
          OptionalDouble.class);

  /// The codec of a class, made anew: a table of all has some thirty lambdas, which a new process
  /// would wait for.
  ///
  /// @return `null` if there is none
  static Codec<?> of(Class<?> type) {
    return switch (type.getName()) {
      case "boolean", "java.lang.Boolean" ->
          new WordLeafCodec<Boolean>("Boolean", 1, value -> value ? 1 : 0, word -> word != 0);
      case "byte", "java.lang.Byte" ->
          new WordLeafCodec<Byte>("Byte", Byte.BYTES, Byte::longValue, word -> (byte) word);
      case "short", "java.lang.Short" ->
          new WordLeafCodec<Short>("Short", Short.BYTES, Short::longValue, word -> (short) word);
      case "char", "java.lang.Character" ->
          new WordLeafCodec<Character>(
              "Character", Character.BYTES, value -> value, word -> (char) word);
      case "int", "java.lang.Integer" ->
          new WordLeafCodec<Integer>(
              "Integer", Integer.BYTES, Integer::longValue, word -> (int) word);
      case "long", "java.lang.Long" -> new LongCodec();
      // All that is not a number is one value, as for `equals`; so 0.0 and -0.0 are two.
      case "float", "java.lang.Float" ->
          new WordLeafCodec<Float>(
              "Float",
              Float.BYTES,
              Float::floatToIntBits,
              word -> Float.intBitsToFloat((int) word));
      case "double", "java.lang.Double" ->
          new WordLeafCodec<Double>(
              "Double", Double.BYTES, Double::doubleToLongBits, Double::longBitsToDouble);
      case "java.lang.String" -> new StringCodec();
      case "java.util.UUID" ->
          new LeafCodec<UUID>("UUID", 2 * Long.BYTES, Leaves::write, Leaves::readUuid);
      case "java.math.BigInteger" ->
          new LeafCodec<BigInteger>("BigInteger", 0, Leaves::write, Leaves::readBigInteger);
      // With its scale: 1.0 and 1.00 are two values, as for `equals`.
      case "java.math.BigDecimal" ->
          new LeafCodec<BigDecimal>("BigDecimal", 0, Leaves::write, Leaves::readBigDecimal);
      case "java.util.OptionalInt" ->
          new LeafCodec<OptionalInt>(
              "OptionalInt", 0, Leaves::write, Leaves::readOptionalInt, OptionalInt.empty());
      case "java.util.OptionalLong" ->
          new LeafCodec<OptionalLong>(
              "OptionalLong", 0, Leaves::write, Leaves::readOptionalLong, OptionalLong.empty());
      case "java.util.OptionalDouble" ->
          new LeafCodec<OptionalDouble>(
              "OptionalDouble",
              0,
              Leaves::write,
              Leaves::readOptionalDouble,
              OptionalDouble.empty());
      default -> null;
    };
  }

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
