package io.holdfast.collections.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.holdfast.codec.Codec;
import io.holdfast.codec.CodecException;
import io.holdfast.codec.Encoded;
import io.holdfast.codec.EncodedInput;
import io.holdfast.codec.EncodedOutput;
import io.holdfast.collections.tree.node.KeyOrder;
import io.holdfast.collections.tree.node.NaturalOrder;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.region.Region;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.Year;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.LongFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The order of encoded keys is that of the keys, in objects and on media.
class NaturalOrderTest {
  private static final long SEED = 0x57A1;
  private static final long AT = RegionFile.INITIAL_BYTES / 2;
  private static final int RANDOM_KEYS = 40;

  private final Random random = new Random(SEED);
  private final KeyOrder ofStrings = NaturalOrder.of("String", NaturalOrderTest::decoded);

  @TempDir Path directory;
  private RegionFile file;
  private Region region;
  private Memory memory;

  @BeforeEach
  void open() throws Exception {
    file = RegionFile.open(directory.resolve("keys.hf"));
    memory = file.memory();
    region = Region.open(memory, RegionFile.INITIAL_BYTES);
  }

  @AfterEach
  void close() throws Exception {
    region.close();
    file.close();
  }

  @Test
  void stringsAreComparedAsTheirBytes() {
    checkOrder(ofStrings, String.class, strings());
  }

  @Test
  void numbersAreComparedAsTheirBytes() {
    check(Byte.class, n -> (byte) n, Byte.MIN_VALUE, (byte) -1, (byte) 0, Byte.MAX_VALUE);
    check(Short.class, n -> (short) n, Short.MIN_VALUE, (short) -1, (short) 0, Short.MAX_VALUE);
    check(Integer.class, n -> (int) n, Integer.MIN_VALUE, -1, 0, 1, Integer.MAX_VALUE);
    check(Long.class, n -> n, Long.MIN_VALUE, -1L, 0L, 1L, Long.MAX_VALUE);
  }

  @Test
  void floatingPointNumbersAreComparedAsTheirBytes() {
    check(
        Float.class,
        n -> Float.intBitsToFloat((int) n),
        Float.NEGATIVE_INFINITY,
        -Float.MIN_VALUE,
        -0.0f,
        0.0f,
        Float.MIN_VALUE,
        Float.POSITIVE_INFINITY,
        Float.NaN);
    check(
        Double.class,
        Double::longBitsToDouble,
        Double.NEGATIVE_INFINITY,
        -Double.MIN_VALUE,
        -0.0,
        0.0,
        Double.MIN_VALUE,
        Double.POSITIVE_INFINITY,
        Double.NaN);
  }

  @Test
  void timesAreComparedAsTheirBytes() {
    check(Instant.class, n -> Instant.ofEpochSecond(n >> 32, (int) n), Instant.MIN, Instant.MAX);
    check(Instant.class, n -> Instant.ofEpochSecond(n & 1, n >>> 40), Instant.EPOCH.minusNanos(1));
    check(Duration.class, n -> Duration.ofSeconds(n & 1, n >>> 40), Duration.ofNanos(-1));
    check(LocalDate.class, n -> LocalDate.ofEpochDay(n >> 40), LocalDate.MIN, LocalDate.MAX);
    check(LocalTime.class, n -> LocalTime.ofNanoOfDay(n >>> 20), LocalTime.MIN, LocalTime.MAX);
    check(
        LocalDateTime.class,
        n -> LocalDate.ofEpochDay(n & 1).atTime(LocalTime.ofNanoOfDay(n >>> 20)),
        LocalDateTime.MIN,
        LocalDateTime.MAX);
    check(Year.class, n -> Year.of((int) (n >> 40)), Year.of(Year.MIN_VALUE), Year.of(0));
    check(
        YearMonth.class,
        n -> YearMonth.of((int) (n >> 60), 1 + (int) (n & 7)),
        YearMonth.of(Year.MIN_VALUE, 1),
        YearMonth.of(Year.MAX_VALUE, 12));
    check(MonthDay.class, n -> MonthDay.of(1 + (int) (n & 7), 1 + (int) (n >>> 60)));
  }

  @Test
  void uuidsAreComparedAsTheirBytes() {
    check(UUID.class, n -> new UUID(n, n << 7), new UUID(0, -1), new UUID(0, 0), new UUID(0, 1));
  }

  /// Decoding fails: only what has another length is left to it.
  @SafeVarargs
  private <K extends Comparable<? super K>> void check(
      Class<K> type, LongFunction<K> random, K... others) {
    List<K> keys = new ArrayList<>();
    for (K other : others) {
      keys.add(other);
    }
    for (int i = 0; i < RANDOM_KEYS; i++) {
      keys.add(random.apply(this.random.nextLong()));
    }
    KeyOrder order =
        NaturalOrder.of(
            Codec.of(type).fingerprint(),
            _ -> {
              throw new CodecException("not needed");
            });
    checkOrder(order, type, keys);
    Encoded key = encoded(type, keys.getFirst());
    Encoded longer = Encoded.of(Arrays.copyOf(key.bytes(), key.length() + 1));
    if (!order.isOfWords()) {
      assertThrows(CodecException.class, () -> order.compare(longer, key));
      assertThrows(CodecException.class, () -> order.compare(key, longer));
      assertThrows(CodecException.class, () -> compareInMemory(order, longer, key));
      assertThrows(CodecException.class, () -> compareInMemory(order, key, longer));
    }
  }

  private <K extends Comparable<? super K>> void checkOrder(
      KeyOrder order, Class<K> type, List<K> keys) {
    for (K one : keys) {
      Encoded encoded = encoded(type, one);
      for (K other : keys) {
        int expected = Integer.signum(one.compareTo(other));
        Encoded others = encoded(type, other);
        assertEquals(
            expected,
            Integer.signum(order.compare(encoded, others)),
            () -> "'%s' and '%s'".formatted(one, other));
        assertEquals(
            expected,
            Integer.signum(compareInMemory(order, encoded, others)),
            () -> "on media '%s' and '%s'".formatted(one, other));
      }
    }
  }

  /// Behind the key there is something else.
  private int compareInMemory(KeyOrder order, Encoded one, Encoded other) {
    memory.writeBytesPlain(AT, one.bytes(), 0, one.length());
    memory.writeBytesPlain(AT + one.length(), new byte[] {-1, 1, -1, 1, -1, 1, -1, 1}, 0, 8);
    return order.compare(memory, AT, one.length(), other);
  }

  /// Of one and of two bytes a char, around the lengths at which the varint has a byte more.
  private List<String> strings() {
    List<String> strings =
        new ArrayList<>(List.of("", "\0", "\u00ff", "\u0100", "\ud800", "\uffff"));
    for (int length : new int[] {1, 2, 3, 7, 62, 63, 64, 65, 127, 128, 250, 9_000}) {
      String same = "\u0080".repeat(length);
      strings.add(same);
      strings.add(same + "\u0100");
      strings.add(same + "\u0000");
      for (int i = 0; i < 4; i++) {
        char[] chars = same.toCharArray();
        chars[random.nextInt(length)] = (char) random.nextInt(i < 2 ? 0x100 : 0x10000);
        strings.add(new String(chars));
      }
    }
    return strings;
  }

  @Test
  void whatIsNoStringIsLeftToTheCodec() {
    Encoded string = encoded(String.class, "ab");
    for (byte[] bytes :
        new byte[][] {
          {},
          {4},
          {4, 'a'},
          {4, 'a', 'b', 'c'},
          {5, 'a', 'b'},
          {-1},
          {-124, 0, 'a', 'b'},
          {-1, -1, 1}
        }) {
      Encoded none = Encoded.of(bytes);
      assertThrows(CodecException.class, () -> ofStrings.compare(none, string));
      assertThrows(CodecException.class, () -> ofStrings.compare(string, none));
      assertThrows(CodecException.class, () -> compareInMemory(ofStrings, none, string));
      assertThrows(CodecException.class, () -> compareInMemory(ofStrings, string, none));
    }
  }

  /// In an array that is longer, as a thread's buffer is.
  private static <K> Encoded encoded(Class<K> type, K key) {
    EncodedOutput output = new EncodedOutput();
    Codec.of(type).encode(key, output);
    return Encoded.of(output.array(), output.length());
  }

  @SuppressWarnings("unchecked") // strings are comparable to each other
  private static Comparable<Object> decoded(Encoded encoded) {
    EncodedInput input = new EncodedInput();
    input.reset(encoded.bytes(), 0, encoded.length());
    Object string = input.readString();
    input.expectEnd();
    return (Comparable<Object>) string;
  }
}
