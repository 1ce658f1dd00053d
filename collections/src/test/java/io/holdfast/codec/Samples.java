package io.holdfast.codec;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;

/// The records of the tests, a codec of each kind with its random values, and a few steps that all
/// tests take.
final class Samples {
  record Job(int n, String who) {}

  enum Color {
    RED,
    GREEN,
    /// Its class is not the enum's.
    BLUE {
      @Override
      public String toString() {
        return "azure";
      }
    }
  }

  sealed interface Shape {
    record Circle(double radius) implements Shape {}

    record Rectangle(int width, int height) implements Shape {}

    sealed interface Compound extends Shape {
      record Group(List<Shape> shapes) implements Compound {}
    }
  }

  record Node(int n, List<Node> children) {}

  record Chain(long n, Chain next) {}

  record Pair<A, B>(A first, B second) {}

  record Primitives(boolean z, byte b, short s, char c, int i, long l, float f, double d) {}

  /// Has a component of most kinds.
  record Everything(
      int i,
      Long boxed,
      String text,
      byte[] bytes,
      Job job,
      Color color,
      Shape shape,
      Optional<Instant> when,
      List<Pair<String, Integer>> pairs,
      Set<BigDecimal> amounts,
      Map<UUID, List<LocalDate>> days,
      String[] words,
      OptionalLong last) {
    private List<Object> parts() {
      return Arrays.asList(
          i,
          boxed,
          text,
          bytes == null ? null : HexFormat.of().formatHex(bytes),
          job,
          color,
          shape,
          when,
          pairs,
          amounts,
          days,
          words == null ? null : List.of(words),
          last);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Everything that && parts().equals(that.parts());
    }

    @Override
    public int hashCode() {
      return Objects.hash(parts());
    }
  }

  /// A codec and how its values are drawn.
  record Kind<T>(Codec<T> codec, Function<RandomValues, T> values) {
    Sample<T> draw(RandomValues random) {
      return new Sample<>(codec, values.apply(random));
    }
  }

  record Sample<T>(Codec<T> codec, T value) {
    byte[] bytes() {
      return encode(codec, value);
    }
  }

  private static <T> Kind<T> kind(Class<T> type, Function<RandomValues, T> values) {
    return new Kind<>(Codec.of(type), values);
  }

  static final List<Kind<?>> KINDS =
      List.of(
          kind(Boolean.class, RandomValues::aBoolean),
          kind(Byte.class, r -> (byte) r.anInt()),
          kind(Short.class, r -> (short) r.anInt()),
          kind(Character.class, r -> (char) r.anInt()),
          kind(Integer.class, RandomValues::anInt),
          kind(Long.class, RandomValues::aLong),
          kind(Float.class, RandomValues::aFloat),
          kind(Double.class, RandomValues::aDouble),
          kind(String.class, RandomValues::string),
          kind(UUID.class, RandomValues::uuid),
          kind(BigInteger.class, RandomValues::bigInteger),
          kind(BigDecimal.class, RandomValues::bigDecimal),
          kind(OptionalInt.class, RandomValues::optionalInt),
          kind(OptionalLong.class, RandomValues::optionalLong),
          kind(OptionalDouble.class, RandomValues::optionalDouble),
          kind(Instant.class, RandomValues::instant),
          kind(Duration.class, RandomValues::duration),
          kind(Period.class, r -> Period.of(r.anInt(), r.anInt(), r.anInt())),
          kind(LocalDate.class, RandomValues::localDate),
          kind(LocalTime.class, RandomValues::localTime),
          kind(LocalDateTime.class, RandomValues::localDateTime),
          kind(OffsetDateTime.class, r -> OffsetDateTime.of(r.localDateTime(), r.zoneOffset())),
          kind(OffsetTime.class, r -> OffsetTime.of(r.localTime(), r.zoneOffset())),
          kind(ZonedDateTime.class, RandomValues::zonedDateTime),
          kind(ZoneId.class, RandomValues::zoneId),
          kind(ZoneOffset.class, RandomValues::zoneOffset),
          kind(Year.class, r -> Year.of(r.year())),
          kind(YearMonth.class, r -> YearMonth.of(r.year(), 1 + r.nextInt(12))),
          kind(MonthDay.class, r -> MonthDay.of(1 + r.nextInt(12), 1 + r.nextInt(29))),
          kind(DayOfWeek.class, r -> DayOfWeek.of(1 + r.nextInt(7))),
          kind(Month.class, r -> Month.of(1 + r.nextInt(12))),
          kind(Color.class, r -> Color.values()[r.nextInt(3)]),
          kind(boolean[].class, RandomValues::booleans),
          kind(byte[].class, RandomValues::bytes),
          kind(short[].class, RandomValues::shorts),
          kind(char[].class, r -> r.string().toCharArray()),
          kind(int[].class, RandomValues::ints),
          kind(long[].class, RandomValues::longs),
          kind(float[].class, RandomValues::floats),
          kind(double[].class, RandomValues::doubles),
          kind(String[].class, r -> r.list(RandomValues::string).toArray(String[]::new)),
          kind(int[][].class, r -> r.list(RandomValues::ints).toArray(int[][]::new)),
          kind(Job.class, RandomValues::job),
          kind(Primitives.class, RandomValues::primitives),
          kind(Shape.class, r -> r.shape(3)),
          kind(Node.class, r -> r.node(4)),
          kind(Chain.class, r -> r.chain(40)),
          kind(Everything.class, RandomValues::everything),
          new Kind<>(Codec.listOf(Codec.of(String.class)), r -> r.list(RandomValues::string)),
          new Kind<>(Codec.setOf(Codec.of(Double.class)), r -> r.set(RandomValues::aDouble)),
          new Kind<>(
              Codec.mapOf(Codec.of(String.class), Codec.setOf(Codec.of(Job.class))),
              r -> r.map(RandomValues::string, x -> x.set(RandomValues::job))),
          new Kind<>(
              Codec.optionalOf(Codec.listOf(Codec.of(Month.class))),
              r -> r.aBoolean() ? Optional.of(r.list(x -> Month.MAY)) : Optional.empty()));

  private Samples() {}

  /// One value of each kind.
  static Stream<Sample<?>> oneOfEach(RandomValues random) {
    return KINDS.stream().map(kind -> kind.draw(random));
  }

  /// The codec for the value's class, which is of no generic type.
  @SuppressWarnings("unchecked") // chosen by the value's class
  static Codec<Object> codecFor(Object value) {
    return (Codec<Object>) Codec.of(value.getClass());
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
