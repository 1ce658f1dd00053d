package io.holdfast.codec;

import java.util.Random;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Values drawn from a seed, with the awkward ones often among them. [#rerun()] is the line that
/// repeats a failing test.
final class RandomValues {
  private static final String PROPERTY = "holdfast.codec.seed";

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

  Samples.Everything everything() {
    return new Samples.Everything(
        anInt(),
        aLong(),
        orNull(this::anInt),
        orNull(this::aLong),
        orNull(this::string),
        orNull(this::bytes),
        orNull(() -> new Samples.Job(anInt(), orNull(this::string))));
  }

  /// One value of each kind that [Samples#CODECS] has, in its order.
  Stream<Object> oneOfEach() {
    Stream<Function<RandomValues, Object>> kinds =
        Stream.of(
            RandomValues::anInt,
            RandomValues::aLong,
            RandomValues::string,
            RandomValues::bytes,
            RandomValues::everything);
    return kinds.map(kind -> kind.apply(this));
  }

  /// Mostly small, sometimes around the sizes at which a varint gets longer.
  private int size() {
    return switch (random.nextInt(8)) {
      case 0 -> 0;
      case 1 -> random.nextInt(60, 70);
      case 2 -> random.nextInt(120, 140);
      case 3 -> random.nextInt(8_180, 8_200);
      default -> random.nextInt(1, 40);
    };
  }

  private <T> T orNull(Supplier<T> value) {
    return random.nextInt(4) == 0 ? null : value.get();
  }
}
