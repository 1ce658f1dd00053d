package io.holdfast.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.holdfast.codec.Samples.Job;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Collections compare and hash the bytes of keys. So values that are equal have equal bytes, and
/// those that are not have others; the exceptions are here too, each with its test.
class CanonicalFormTest {
  private final RandomValues values = RandomValues.draw();

  private static <T> void same(Codec<T> codec, T one, T other) {
    assertThat(one).isEqualTo(other);
    assertThat(Samples.encode(codec, one)).isEqualTo(Samples.encode(codec, other));
  }

  private static <T> void different(Codec<T> codec, T one, T other) {
    assertThat(one).isNotEqualTo(other);
    assertThat(Samples.encode(codec, one)).isNotEqualTo(Samples.encode(codec, other));
  }

  /// Of each kind, many values against each other, of which some are equal.
  @Test
  void equalValuesHaveEqualBytesAndOthersOthers() {
    for (Samples.Kind<?> kind : Samples.KINDS) {
      equalityIsThatOfBytes(kind);
    }
  }

  private <T> void equalityIsThatOfBytes(Samples.Kind<T> kind) {
    List<T> drawn = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      T value = kind.draw(values).value();
      drawn.add(value);
      drawn.add(Samples.decode(kind.codec(), Samples.encode(kind.codec(), value)));
    }
    for (T one : drawn) {
      byte[] bytes = Samples.encode(kind.codec(), one);
      for (T other : drawn) {
        boolean equal = one.getClass().isArray() ? arraysEqual(one, other) : one.equals(other);
        assertThat(Arrays.equals(bytes, Samples.encode(kind.codec(), other)))
            .as("%s and %s, %s", one, other, values.rerun())
            .isEqualTo(equal);
      }
    }
  }

  private static boolean arraysEqual(Object one, Object other) {
    return Arrays.deepEquals(new Object[] {one}, new Object[] {other});
  }

  @Test
  void floatingPointIsComparedAsTheirWrappersAre() {
    Codec<Double> doubles = Codec.of(Double.class);
    same(doubles, Double.NaN, Double.longBitsToDouble(0x7ff8000000000001L));
    same(doubles, Double.NaN, Double.longBitsToDouble(0xfff0000000000001L));
    different(doubles, 0.0, -0.0);
    Codec<Float> floats = Codec.of(Float.class);
    same(floats, Float.NaN, Float.intBitsToFloat(0x7fc00001));
    different(floats, 0.0f, -0.0f);
    record Point(double x, float y) {}
    Codec<Point> points = Codec.of(Point.class);
    same(
        points,
        new Point(Double.NaN, Float.NaN),
        new Point(Double.longBitsToDouble(-1L), Float.intBitsToFloat(-1)));
    different(points, new Point(0, 0), new Point(0, -0.0f));
  }

  @Test
  void aScaleIsPartOfADecimal() {
    Codec<BigDecimal> codec = Codec.of(BigDecimal.class);
    different(codec, new BigDecimal("1.0"), new BigDecimal("1.00"));
    same(codec, new BigDecimal("1.0"), new BigDecimal(BigInteger.TEN, 1));
  }

  @Test
  void theOrderOfASetOrMapDoesNotMatter() {
    List<String> words = new ArrayList<>(values.list(RandomValues::string));
    words.addAll(List.of("a", "b", "ab", "\u20ac", ""));
    Set<String> set = new LinkedHashSet<>(words);
    Codec<Set<String>> sets = Codec.setOf(Codec.of(String.class));
    same(sets, set, new TreeSet<>(set));
    same(sets, set, Set.copyOf(set));
    Map<String, Integer> map = new HashMap<>();
    set.forEach(each -> map.put(each, each.length()));
    Codec<Map<String, Integer>> maps = Codec.mapOf(Codec.of(String.class), Codec.of(Integer.class));
    Map<String, Integer> reversed = new TreeMap<>(Collections.reverseOrder());
    reversed.putAll(map);
    same(maps, map, reversed);
    same(maps, map, new ConcurrentHashMap<>(map));
  }

  @Test
  void theClassOfAListDoesNotMatter() {
    Codec<List<Integer>> codec = Codec.listOf(Codec.of(Integer.class));
    same(codec, List.of(1, 2), new LinkedList<>(List.of(1, 2)));
    different(codec, List.of(1, 2), List.of(2, 1));
  }

  @Test
  void absentNullAndEmptyAreThreeOrTwo() {
    record Holder(List<String> list, Optional<String> optional, String text) {}
    Codec<Holder> codec = Codec.of(Holder.class);
    Holder empty = new Holder(List.of(), Optional.empty(), null);
    same(codec, empty, new Holder(new ArrayList<>(), Optional.empty(), null));
    different(codec, empty, new Holder(null, Optional.empty(), null));
    different(codec, empty, new Holder(List.of(), null, null));
    different(codec, empty, new Holder(List.of(), Optional.empty(), ""));
  }

  /// An offset as a zone is one by itself, and so is UTC as a region.
  @Test
  void zonesAreComparedAsTheyAre() {
    Codec<ZoneId> zones = Codec.of(ZoneId.class);
    different(zones, ZoneId.of("UTC"), ZoneOffset.UTC);
    same(zones, ZoneId.of("+1"), ZoneOffset.ofHours(1));
    Codec<ZonedDateTime> times = Codec.of(ZonedDateTime.class);
    Instant instant = Instant.ofEpochSecond(1_700_000_000);
    different(times, instant.atZone(ZoneId.of("UTC")), instant.atZone(ZoneOffset.UTC));
    different(
        times, instant.atZone(ZoneId.of("Europe/Paris")), instant.atZone(ZoneId.of("Europe/Rome")));
  }

  /// The first exception: arrays, which Java compares by identity.
  @Test
  void arraysAreComparedByContent() {
    record Blob(byte[] bytes) {}
    Codec<Blob> codec = Codec.of(Blob.class);
    Blob one = new Blob(new byte[] {1});
    Blob other = new Blob(new byte[] {1});
    assertThat(one).isNotEqualTo(other);
    assertThat(Samples.encode(codec, one)).isEqualTo(Samples.encode(codec, other));
    assertThatThrownBy(
            () ->
                Samples.encode(
                    Codec.setOf(Codec.of(byte[].class)), Set.of(new byte[5], new byte[5])))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage("Two elements of a set, or keys of a map, have the same bytes: length=6 bytes");
  }

  /// The second exception.
  @Test
  void recordsWithAnEqualityOfTheirOwnAreComparedByTheirComponents() {
    record Name(String text) {
      @Override
      public boolean equals(Object other) {
        return other instanceof Name name && text.equalsIgnoreCase(name.text);
      }

      @Override
      public int hashCode() {
        return text.toLowerCase(Locale.ROOT).hashCode();
      }
    }
    Codec<Name> codec = Codec.of(Name.class);
    assertThat(new Name("a")).isEqualTo(new Name("A"));
    assertThat(Samples.encode(codec, new Name("a")))
        .isNotEqualTo(Samples.encode(codec, new Name("A")));
    assertThatThrownBy(
            () -> Samples.decode(Codec.setOf(codec), Samples.hex("02 01010241 01010261")))
        .isExactlyInstanceOf(CodecException.class)
        .hasMessageStartingWith("Cannot read a set or a map: it has two equal elements");
  }

  @Test
  void otherFormsAreRefused() {
    refuses(Codec.of(Boolean.class), "02", "Cannot read Boolean: its word is 0x1, not 0x2");
    refuses(Codec.of(Double.class), "010000000000f87f", "Cannot read Double: its word is");
    refuses(Codec.of(Float.class), "0100c07f", "Cannot read Float: its word is");
    refuses(Codec.of(BigInteger.class), "02 0001", "Cannot read BigInteger: it is not in its");
    refuses(Codec.of(BigInteger.class), "02 ff80", "Cannot read BigInteger: it is not in its");
    refuses(Codec.of(BigInteger.class), "00", "Cannot read BigInteger: Zero length");
    refuses(Codec.of(ZoneId.class), "04 2b31", "Cannot read ZoneId: the zone has another id");
    refuses(Codec.of(ZoneId.class), "06 582f59", "Cannot read ZoneId: Unknown time-zone ID");
    refuses(Codec.of(Instant.class), "0000000000000000 00ca9a3b", "Cannot read nanoseconds: ");
    refuses(Codec.of(Instant.class), "00000000000000ff 00000000", "Cannot read Instant: ");
    Codec<Set<String>> sets = Codec.setOf(Codec.of(String.class));
    refuses(sets, "02 0262 0261", "Cannot read a set or a map: its bytes are not in ascending");
    refuses(sets, "02 0261 0261", "Cannot read a set or a map: its bytes are not in ascending");
    Codec<Job> jobs = Codec.of(Job.class);
    refuses(jobs, "02 01000000 00", "Cannot read a record: its last component need not be there");
    refuses(jobs, "01 00000000", "Cannot read a record: its last component need not be there");
    refuses(jobs, "03 01000000 010261 00", "Cannot read a record ");
    refuses(jobs, "02 01000000 02", "Cannot read a component of a record: its marker is none");
    record Lists(List<Integer> list) {}
    refuses(Codec.of(Lists.class), "01 01 00", "Cannot read a component of a record: it is empty");
    refuses(Codec.of(Samples.Color.class), "03", "Cannot read a constant of enum ");
    refuses(Codec.of(Samples.Shape.class), "03 00", "Cannot read a ");
    refuses(Codec.of(float[].class), "01 0100c07f", "Cannot read a float: not the form of NaN");
    refuses(Codec.of(double[].class), "01 010000000000f87f", "Cannot read a double: not the form");
    refuses(Codec.of(LocalTime.class), "0000000000000080", "Cannot read LocalTime: word=0x8000");
    refuses(Codec.of(MonthDay.class), "1e02", "Cannot read MonthDay: word=0x21E");
    refuses(Codec.of(Integer.class), "010203", "Cannot read an int: length=4 bytes, remaining=3");
    refuses(Codec.of(boolean[].class), "01 02", "Cannot read a boolean: it is neither 0 nor 1");
  }

  /// Each level of lists claims all of the bytes that follow, for an array of 4 bytes an element.
  @Test
  void listsWithinListsClaimTheirBytesOnce() {
    byte[] bytes = new byte[8 << 20];
    byte[] level = Samples.hex("02 01000000 01 808080 01"); // 2,097,152 children
    for (int i = 0; i < 64; i++) {
      System.arraycopy(level, 0, bytes, i * level.length, level.length);
    }
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    assertThatThrownBy(() -> Samples.decode(Codec.of(Samples.Node.class), bytes))
        .isExactlyInstanceOf(CodecException.class);
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(100L << 20);
  }

  @Test
  void longListsComeBack() {
    Codec<List<Integer>> codec = Codec.listOf(Codec.of(Integer.class));
    for (int size : new int[] {1_023, 1_024, 1_025, 2_048, 5_000}) {
      List<Integer> list = IntStream.range(0, size).boxed().toList();
      assertThat(Samples.decode(codec, Samples.encode(codec, list))).isEqualTo(list);
    }
  }

  /// A few bytes can't ask for much memory.
  @Test
  void numbersOfElementsAreBoundByTheBytes() {
    for (Samples.Kind<?> kind : Samples.KINDS) {
      try {
        Samples.decode(kind.codec(), Samples.hex("ffffffff07 01010101"));
      } catch (CodecException _) {
        // as is right; an OutOfMemoryError is not
      }
    }
    assertThatThrownBy(() -> Samples.decode(Codec.listOf(new Nothing()), Samples.hex("ffffffff07")))
        .isExactlyInstanceOf(CodecException.class);
    assertThatThrownBy(() -> Samples.encode(Codec.listOf(new Nothing()), List.of("")))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage("An element of a collection needs at least one byte: codec=nothing");
  }

  private static final class Nothing implements Codec<String> {
    @Override
    public String fingerprint() {
      return "nothing";
    }

    @Override
    public void encode(String value, EncodedOutput out) {}

    @Override
    public String decode(EncodedInput in) {
      return "";
    }
  }

  @Test
  void elementsAreNeverNull() {
    List<String> list = Collections.singletonList(null);
    assertThatThrownBy(() -> Samples.encode(Codec.listOf(Codec.of(String.class)), list))
        .isExactlyInstanceOf(NullPointerException.class)
        .hasMessage("An element of a collection or an array must not be null: type=String");
    assertThatThrownBy(() -> Samples.encode(Codec.of(String[].class), new String[1]))
        .isExactlyInstanceOf(NullPointerException.class);
  }

  @Test
  void whatComesBackCannotBeModified() {
    List<String> list =
        Samples.decode(Codec.listOf(Codec.of(String.class)), Samples.hex("01 0261"));
    assertThatThrownBy(() -> list.set(0, "")).isInstanceOf(UnsupportedOperationException.class);
    Set<String> set = Samples.decode(Codec.setOf(Codec.of(String.class)), Samples.hex("00"));
    assertThatThrownBy(() -> set.add("")).isInstanceOf(UnsupportedOperationException.class);
    Map<String, String> map =
        Samples.decode(
            Codec.mapOf(Codec.of(String.class), Codec.of(String.class)), Samples.hex("00"));
    assertThatThrownBy(() -> map.put("", "")).isInstanceOf(UnsupportedOperationException.class);
  }

  private static void refuses(Codec<?> codec, String hex, String message) {
    assertThatThrownBy(() -> Samples.decode(codec, Samples.hex(hex)))
        .isExactlyInstanceOf(CodecException.class)
        .hasMessageStartingWith(message)
        .hasMessageMatching(".*, position=\\d+, limit=\\d+");
  }
}
