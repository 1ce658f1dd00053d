package io.holdfast.codec;

import static java.util.Map.entry;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

/// Chooses the codec of a type: the table behind [Codec#of].
final class BuiltInCodecs {
  /// The primitive classes stand for their wrappers here; in a record [ComponentHandles] treats
  /// them itself, without a box.
  private static final Map<Class<?>, Codec<?>> LEAVES =
      Map.ofEntries(
          entry(boolean.class, Leaves.BOOLEAN),
          entry(Boolean.class, Leaves.BOOLEAN),
          entry(byte.class, Leaves.BYTE),
          entry(Byte.class, Leaves.BYTE),
          entry(short.class, Leaves.SHORT),
          entry(Short.class, Leaves.SHORT),
          entry(char.class, Leaves.CHARACTER),
          entry(Character.class, Leaves.CHARACTER),
          entry(int.class, Leaves.INTEGER),
          entry(Integer.class, Leaves.INTEGER),
          entry(long.class, Leaves.LONG),
          entry(Long.class, Leaves.LONG),
          entry(float.class, Leaves.FLOAT),
          entry(Float.class, Leaves.FLOAT),
          entry(double.class, Leaves.DOUBLE),
          entry(Double.class, Leaves.DOUBLE),
          entry(String.class, Leaves.STRING),
          entry(UUID.class, Leaves.UUID),
          entry(BigInteger.class, Leaves.BIG_INTEGER),
          entry(BigDecimal.class, Leaves.BIG_DECIMAL),
          entry(OptionalInt.class, Leaves.OPTIONAL_INT),
          entry(OptionalLong.class, Leaves.OPTIONAL_LONG),
          entry(OptionalDouble.class, Leaves.OPTIONAL_DOUBLE),
          entry(boolean[].class, PrimitiveArrays.BOOLEANS),
          entry(byte[].class, PrimitiveArrays.BYTES),
          entry(short[].class, PrimitiveArrays.SHORTS),
          entry(char[].class, PrimitiveArrays.CHARS),
          entry(int[].class, PrimitiveArrays.INTS),
          entry(long[].class, PrimitiveArrays.LONGS),
          entry(float[].class, PrimitiveArrays.FLOATS),
          entry(double[].class, PrimitiveArrays.DOUBLES),
          entry(Instant.class, TimeLeaves.INSTANT),
          entry(Duration.class, TimeLeaves.DURATION),
          entry(Period.class, TimeLeaves.PERIOD),
          entry(LocalDate.class, TimeLeaves.LOCAL_DATE),
          entry(LocalTime.class, TimeLeaves.LOCAL_TIME),
          entry(LocalDateTime.class, TimeLeaves.LOCAL_DATE_TIME),
          entry(OffsetTime.class, TimeLeaves.OFFSET_TIME),
          entry(OffsetDateTime.class, TimeLeaves.OFFSET_DATE_TIME),
          entry(ZonedDateTime.class, TimeLeaves.ZONED_DATE_TIME),
          entry(ZoneId.class, TimeLeaves.ZONE_ID),
          entry(ZoneOffset.class, TimeLeaves.ZONE_OFFSET),
          entry(Year.class, TimeLeaves.YEAR),
          entry(YearMonth.class, TimeLeaves.YEAR_MONTH),
          entry(MonthDay.class, TimeLeaves.MONTH_DAY));

  private BuiltInCodecs() {}

  /// By the name in a fingerprint; those of primitive components too.
  private static final Map<String, Codec<?>> LEAVES_BY_NAME = byName();

  private static Map<String, Codec<?>> byName() {
    Map<String, Codec<?>> named = new HashMap<>();
    LEAVES.forEach(
        (type, codec) ->
            named.put(type.isPrimitive() ? type.getName() : codec.fingerprint(), codec));
    return Map.copyOf(named);
  }

  /// The codec of a leaf; `null` if there is none of the name.
  static Codec<?> leaf(String name) {
    return LEAVES_BY_NAME.get(name);
  }

  @SuppressWarnings("unchecked") // the codec of a class
  static <T> Codec<T> of(Class<T> type) {
    return (Codec<T>) of(TypeRef.of(type), new Enclosing());
  }

  static Codec<?> of(TypeRef type, Enclosing enclosing) {
    Class<?> raw = type.raw();
    Codec<?> leaf = LEAVES.get(raw);
    if (leaf != null) {
      return leaf;
    }
    if (raw.isArray()) {
      return ArrayCodec.of(raw.componentType(), of(type.arguments().getFirst(), enclosing));
    }
    if (raw.isEnum()) {
      return EnumCodec.of(raw);
    }
    if (raw.isRecord() || raw.isInterface() && raw.isSealed()) {
      return ofMembers(type, enclosing);
    }
    List<? extends Codec<?>> arguments =
        type.arguments().stream().map(argument -> of(argument, enclosing)).toList();
    return container(type, arguments, enclosing);
  }

  private static Codec<?> ofMembers(TypeRef type, Enclosing enclosing) {
    int level = enclosing.level(type);
    if (level > 0) {
      return new EnclosingCodec<>(level, enclosing.at(level));
    }
    if (enclosing.depth() == EncodedOutput.DEPTH_MAX) {
      throw new IllegalArgumentException(
          "There is no built-in codec for %s, whose types are nested deeper than %d levels: %s"
              .formatted(type, EncodedOutput.DEPTH_MAX, enclosing));
    }
    return enclosing.within(
        type,
        () ->
            type.raw().isRecord()
                ? RecordCodec.of(type, enclosing)
                : SealedCodec.of(type, enclosing));
  }

  private static Codec<?> container(
      TypeRef type, List<? extends Codec<?>> arguments, Enclosing enclosing) {
    if (arguments.size() == 1) {
      Codec<?> element = arguments.getFirst();
      if (type.raw() == List.class) {
        return new ListCodec<>(element);
      }
      if (type.raw() == Set.class) {
        return new SetCodec<>(element);
      }
      if (type.raw() == Optional.class) {
        return new OptionalCodec<>(element);
      }
    }
    if (arguments.size() == 2 && type.raw() == Map.class) {
      return new MapCodec<>(arguments.get(0), arguments.get(1));
    }
    throw unsupported(type, enclosing);
  }

  private static IllegalArgumentException unsupported(TypeRef type, Enclosing enclosing) {
    String place = enclosing.depth() == 0 ? "" : ", within " + enclosing;
    return new IllegalArgumentException(
        ("There is no built-in codec for %s%s: supported are primitives and their wrappers, String,"
             + " UUID, BigInteger, BigDecimal, the value types of java.time, enums, arrays,"
             + " records, sealed interfaces of records, and List, Set, Map and Optional with their"
             + " types (by themselves: Codec.listOf and its like); pass a Codec of your own instead"
             + " of the class")
            .formatted(type, place));
  }
}
