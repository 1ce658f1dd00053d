package io.holdfast.codec;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Year;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/// Values drawn from a seed, with the awkward ones often among them. [#rerun()] is the line that
/// repeats a failing test.
final class RandomValues {
  private static final String PROPERTY = "holdfast.codec.seed";

  private static final List<String> ZONES = ZoneId.getAvailableZoneIds().stream().sorted().toList();

  private final long seed;
  private final Random random;

  private RandomValues(long seed) {
    this.seed = seed;
    this.random = new Random(seed);
  }

  /// A new seed, unless the system property fixes it.
  static RandomValues draw() {
    return new RandomValues(Long.getLong(PROPERTY, System.nanoTime()));
  }

  String rerun() {
    return "rerun with -D" + PROPERTY + "=" + seed;
  }

  int nextInt(int bound) {
    return random.nextInt(bound);
  }

  int anInt() {
    return switch (random.nextInt(8)) {
      case 0 -> Integer.MIN_VALUE;
      case 1 -> Integer.MAX_VALUE;
      case 2 -> random.nextInt(-2, 3);
      default -> random.nextInt();
    };
  }

  long aLong() {
    return switch (random.nextInt(8)) {
      case 0 -> Long.MIN_VALUE;
      case 1 -> Long.MAX_VALUE;
      case 2 -> random.nextInt(-2, 3);
      default -> random.nextLong();
    };
  }

  byte[] bytes() {
    byte[] bytes = new byte[size()];
    random.nextBytes(bytes);
    return bytes;
  }

  /// Of one alphabet: ASCII, Latin-1, the whole of the basic plane (lone surrogates among it), only
  /// surrogates, or all code points.
  String string() {
    int alphabet = random.nextInt(5);
    StringBuilder text = new StringBuilder();
    for (int i = size(); i > 0; i--) {
      switch (alphabet) {
        case 0 -> text.append((char) random.nextInt(0x80));
        case 1 -> text.append((char) random.nextInt(0x100));
        case 2 -> text.append((char) random.nextInt(0x10000));
        case 3 -> text.append((char) random.nextInt(0xD800, 0xE000));
        default -> text.appendCodePoint(random.nextInt(Character.MAX_CODE_POINT + 1));
      }
    }
    return text.toString();
  }

  boolean aBoolean() {
    return random.nextBoolean();
  }

  float aFloat() {
    return switch (random.nextInt(8)) {
      case 0 -> Float.NaN;
      case 1 -> -0.0f;
      case 2 -> random.nextInt(-1, 2);
      case 3 -> Float.NEGATIVE_INFINITY;
      default -> Float.intBitsToFloat(random.nextInt());
    };
  }

  double aDouble() {
    return switch (random.nextInt(8)) {
      case 0 -> Double.NaN;
      case 1 -> -0.0;
      case 2 -> random.nextInt(-1, 2);
      case 3 -> Double.NEGATIVE_INFINITY;
      default -> Double.longBitsToDouble(random.nextLong());
    };
  }

  UUID uuid() {
    return new UUID(aLong(), aLong());
  }

  BigInteger bigInteger() {
    return switch (random.nextInt(4)) {
      case 0 -> BigInteger.valueOf(aLong());
      case 1 -> BigInteger.TWO.pow(random.nextInt(200)).negate();
      case 2 -> BigInteger.TWO.pow(random.nextInt(200)).subtract(BigInteger.ONE);
      default -> new BigInteger(random.nextInt(2_000), random);
    };
  }

  BigDecimal bigDecimal() {
    return new BigDecimal(bigInteger(), aBoolean() ? random.nextInt(-3, 10) : anInt());
  }

  OptionalInt optionalInt() {
    return aBoolean() ? OptionalInt.of(anInt()) : OptionalInt.empty();
  }

  OptionalLong optionalLong() {
    return aBoolean() ? OptionalLong.of(aLong()) : OptionalLong.empty();
  }

  OptionalDouble optionalDouble() {
    return aBoolean() ? OptionalDouble.of(aDouble()) : OptionalDouble.empty();
  }

  private int nanos() {
    return switch (random.nextInt(4)) {
      case 0 -> 0;
      case 1 -> 999_999_999;
      default -> random.nextInt(1_000_000_000);
    };
  }

  Instant instant() {
    return switch (random.nextInt(8)) {
      case 0 -> Instant.MIN;
      case 1 -> Instant.MAX;
      case 2 -> Instant.ofEpochSecond(anInt(), nanos());
      default ->
          Instant.ofEpochSecond(
              random.nextLong(Instant.MIN.getEpochSecond(), Instant.MAX.getEpochSecond()), nanos());
    };
  }

  Duration duration() {
    return Duration.ofSeconds(aLong(), nanos());
  }

  int year() {
    return switch (random.nextInt(8)) {
      case 0 -> Year.MIN_VALUE;
      case 1 -> Year.MAX_VALUE;
      case 2 -> random.nextInt(Year.MIN_VALUE, Year.MAX_VALUE);
      default -> random.nextInt(1900, 2100);
    };
  }

  LocalDate localDate() {
    return switch (random.nextInt(8)) {
      case 0 -> LocalDate.MIN;
      case 1 -> LocalDate.MAX;
      default -> LocalDate.ofYearDay(year(), 1 + random.nextInt(365));
    };
  }

  LocalTime localTime() {
    return switch (random.nextInt(8)) {
      case 0 -> LocalTime.MIN;
      case 1 -> LocalTime.MAX;
      default -> LocalTime.ofNanoOfDay(random.nextLong(86_400_000_000_000L));
    };
  }

  LocalDateTime localDateTime() {
    return LocalDateTime.of(localDate(), localTime());
  }

  ZoneOffset zoneOffset() {
    return switch (random.nextInt(8)) {
      case 0 -> ZoneOffset.MIN;
      case 1 -> ZoneOffset.MAX;
      case 2 -> ZoneOffset.UTC;
      default -> ZoneOffset.ofTotalSeconds(random.nextInt(-64_800, 64_801));
    };
  }

  ZoneId zoneId() {
    return switch (random.nextInt(4)) {
      case 0 -> zoneOffset();
      case 1 -> ZoneId.of("UTC+01:30");
      default -> ZoneId.of(ZONES.get(random.nextInt(ZONES.size())));
    };
  }

  ZonedDateTime zonedDateTime() {
    return switch (random.nextInt(4)) {
      case 0 -> ZonedDateTime.of(localDateTime(), zoneOffset());
      // Two instants have this local time.
      case 1 ->
          ZonedDateTime.ofLocal(
              LocalDateTime.of(2025, 10, 26, 2, random.nextInt(60)),
              ZoneId.of("Europe/Berlin"),
              ZoneOffset.ofHours(1 + random.nextInt(2)));
      default -> ZonedDateTime.ofInstant(Instant.ofEpochSecond(anInt(), nanos()), zoneId());
    };
  }

  boolean[] booleans() {
    boolean[] values = new boolean[size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = aBoolean();
    }
    return values;
  }

  short[] shorts() {
    short[] values = new short[size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (short) anInt();
    }
    return values;
  }

  int[] ints() {
    return IntStream.generate(this::anInt).limit(size()).toArray();
  }

  long[] longs() {
    return LongStream.generate(this::aLong).limit(size()).toArray();
  }

  float[] floats() {
    float[] values = new float[size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = aFloat();
    }
    return values;
  }

  double[] doubles() {
    return DoubleStream.generate(this::aDouble).limit(size()).toArray();
  }

  <T> List<T> list(Function<RandomValues, T> element) {
    return Stream.generate(() -> element.apply(this)).limit(random.nextInt(5)).toList();
  }

  <T> Set<T> set(Function<RandomValues, T> element) {
    return new HashSet<>(list(element));
  }

  <K, V> Map<K, V> map(Function<RandomValues, K> key, Function<RandomValues, V> value) {
    Map<K, V> map = new HashMap<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      map.put(key.apply(this), value.apply(this));
    }
    return map;
  }

  Samples.Job job() {
    return new Samples.Job(anInt(), orNull(this::string));
  }

  /// Any number of components from the end on are zero.
  Samples.Primitives primitives() {
    int n = random.nextInt(9);
    return new Samples.Primitives(
        n > 0 && aBoolean(),
        n > 1 ? (byte) anInt() : 0,
        n > 2 ? (short) anInt() : 0,
        n > 3 ? (char) anInt() : 0,
        n > 4 ? anInt() : 0,
        n > 5 ? aLong() : 0,
        n > 6 ? aFloat() : 0,
        n > 7 ? aDouble() : 0);
  }

  Samples.Shape shape(int depth) {
    return switch (random.nextInt(depth == 0 ? 2 : 3)) {
      case 0 -> new Samples.Shape.Circle(aDouble());
      case 1 -> new Samples.Shape.Rectangle(anInt(), aBoolean() ? 0 : anInt());
      default -> new Samples.Shape.Compound.Group(list(r -> r.shape(depth - 1)));
    };
  }

  Samples.Node node(int depth) {
    return new Samples.Node(anInt(), depth == 0 ? List.of() : list(r -> r.node(depth - 1)));
  }

  Samples.Chain chain(int lengthMax) {
    Samples.Chain chain = null;
    for (int i = random.nextInt(lengthMax); i >= 0; i--) {
      chain = new Samples.Chain(aLong(), chain);
    }
    return chain;
  }

  Samples.Everything everything() {
    return new Samples.Everything(
        anInt(),
        orNull(this::aLong),
        orNull(this::string),
        orNull(this::bytes),
        orNull(this::job),
        orNull(() -> Samples.Color.values()[nextInt(3)]),
        orNull(() -> shape(2)),
        orNull(() -> aBoolean() ? Optional.of(instant()) : Optional.empty()),
        orNull(() -> list(r -> new Samples.Pair<>(orNull(this::string), orNull(this::anInt)))),
        orNull(() -> set(RandomValues::bigDecimal)),
        orNull(() -> map(RandomValues::uuid, r -> list(RandomValues::localDate))),
        orNull(() -> list(RandomValues::string).toArray(String[]::new)),
        orNull(this::optionalLong));
  }

  /// Mostly small, sometimes around the sizes at which a varint gets longer.
  private int size() {
    return switch (random.nextInt(8)) {
      case 0 -> 0;
      case 1 -> random.nextInt(60, 70);
      case 2 -> random.nextInt(120, 140);
      case 3 -> random.nextInt(8) > 0 ? 3 : random.nextInt(8_180, 8_200);
      default -> random.nextInt(1, 40);
    };
  }

  private <T> T orNull(Supplier<T> value) {
    return random.nextInt(4) == 0 ? null : value.get();
  }
}
