package io.holdfast.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.codec.Samples.Chain;
import io.holdfast.codec.Samples.Color;
import io.holdfast.codec.Samples.Everything;
import io.holdfast.codec.Samples.Job;
import io.holdfast.codec.Samples.Node;
import io.holdfast.codec.Samples.Primitives;
import io.holdfast.codec.Samples.Shape;
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
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Bytes and fingerprints of format version 1, word for word. Files hold them: a change here is a
/// new format version, never a repair of the test.
class FormatVersionOneTest {
  record Empty() {}

  static Stream<Arguments> goldenTable() {
    return Stream.of(
        row(0, "00000000"),
        row(1, "01000000"),
        row(-2, "feffffff"),
        row(0x01020304, "04030201"),
        row(0L, "0000000000000000"),
        row(0x0102030405060708L, "0807060504030201"),
        row(Long.MIN_VALUE, "0000000000000080"),
        row("", "00"),
        row("abc", "06 616263"),
        row("\u00e9\u00ff", "04 e9ff"),
        row("x".repeat(64), "8001" + "78".repeat(64)),
        row("\u20ac", "03 ac20"),
        row("a\u20ac", "05 6100 ac20"),
        row("\ud83d\ude00", "05 3dd8 00de"),
        row("\ud800", "03 00d8"),
        row(new byte[0], "00"),
        row(new byte[] {1, -1}, "02 01ff"),
        row(new byte[300], "ac02" + "00".repeat(300)),
        row(true, "01"),
        row((byte) -1, "ff"),
        row((short) -2, "feff"),
        row('\u20ac', "ac20"),
        row(1.0f, "0000803f"),
        row(Float.NaN, "0000c07f"),
        row(-0.0, "0000000000000080"),
        row(Double.NaN, "000000000000f87f"),
        row(new UUID(1, 2), "0100000000000000 0200000000000000"),
        row(BigInteger.ZERO, "01 00"),
        row(BigInteger.valueOf(128), "02 0080"),
        row(BigInteger.valueOf(-128), "01 80"),
        row(new BigDecimal("1.00"), "02000000 01 64"),
        row(new BigDecimal("1E+3"), "fdffffff 01 01"),
        row(OptionalInt.empty(), "00"),
        row(OptionalInt.of(0), "01 00000000"),
        row(OptionalLong.of(1), "01 0100000000000000"),
        row(OptionalDouble.of(1), "01 000000000000f03f"),
        row(Instant.ofEpochSecond(-1, 5), "ffffffffffffffff 05000000"),
        row(Duration.ofMillis(-1), "ffffffffffffffff c0878b3b"),
        row(Period.of(1, -2, 3), "01000000 feffffff 03000000"),
        row(LocalDate.of(1969, 12, 31), "ffffffffffffffff"),
        row(LocalTime.of(0, 0, 0, 258), "0201000000000000"),
        row(LocalDateTime.of(1970, 1, 2, 0, 0, 0, 3), "0100000000000000 0300000000000000"),
        row(OffsetTime.of(0, 0, 0, 1, ZoneOffset.ofHours(1)), "0100000000000000 100e0000"),
        row(
            OffsetDateTime.of(1970, 1, 2, 0, 0, 0, 3, ZoneOffset.ofTotalSeconds(-1)),
            "0100000000000000 0300000000000000 ffffffff"),
        row(
            ZonedDateTime.of(1970, 1, 1, 1, 0, 1, 2, ZoneId.of("Europe/Paris")),
            "0100000000000000 02000000 18 4575726f70652f5061726973"),
        row(ZoneOffset.ofHours(-1), "f0f1ffff"),
        row(Year.of(2025), "e9070000"),
        row(YearMonth.of(-1, 12), "0c ffffffff"),
        row(MonthDay.of(2, 29), "1d 02"),
        row(DayOfWeek.SUNDAY, "06"),
        row(Month.JANUARY, "00"),
        row(new boolean[] {true, false}, "02 0100"),
        row(new short[] {1}, "01 0100"),
        row(new char[] {'a'}, "01 6100"),
        row(new int[] {-1, 1}, "02 ffffffff 01000000"),
        row(new long[] {1}, "01 0100000000000000"),
        row(new float[] {1}, "01 0000803f"),
        row(new double[] {-0.0}, "01 0000000000000080"),
        row(new String[] {"a", ""}, "02 0261 00"),
        row(new int[][] {{}, {1}}, "02 00 01 01000000"),
        row(new Job(1, "a"), "02 01000000 01 0261"),
        row(new Job(1, null), "01 01000000"),
        row(new Job(0, null), "00"),
        row(new Node(1, List.of(new Node(2, List.of()))), "02 01000000 01 01 01 02000000"),
        row(new Chain(0, new Chain(0, null)), "02 0000000000000000 01 00"),
        row(
            new Primitives(true, (byte) 1, (short) 2, '\3', 4, 5, 1.0f, 1.0),
            "08 01 01 0200 0300 04000000 0500000000000000 0000803f 000000000000f03f"));
  }

  static Stream<Arguments> goldenTableOfGenerics() {
    Codec<Shape> shape = Codec.of(Shape.class);
    Codec<String> string = Codec.of(String.class);
    Codec<byte[]> bytes = Codec.of(byte[].class);
    return Stream.of(
        Arguments.of(EntryCodec.of(bytes, string).key(), new byte[] {1, -1}, "01ff"),
        Arguments.of(EntryCodec.of(string, bytes).value(), new byte[0], ""),
        Arguments.of(Codec.of(Color.class), Color.BLUE, "02"),
        Arguments.of(Codec.of(ZoneId.class), ZoneId.of("UTC"), "06 555443"),
        Arguments.of(Codec.of(ZoneId.class), ZoneOffset.UTC, "02 5a"),
        Arguments.of(shape, new Shape.Circle(1), "00 01 000000000000f03f"),
        Arguments.of(shape, new Shape.Rectangle(0, 0), "01 00"),
        Arguments.of(
            shape,
            new Shape.Compound.Group(List.of(new Shape.Rectangle(1, 0))),
            "02 01 01 01 01 01 01000000"),
        Arguments.of(Codec.listOf(string), List.of("b", "a"), "02 0262 0261"),
        Arguments.of(Codec.setOf(string), Set.of("b", "", "aa"), "03 00 0262 046161"),
        Arguments.of(
            Codec.mapOf(string, Codec.of(Byte.class)),
            Map.of("b", (byte) 1, "a", (byte) 2),
            "02 0261 02 0262 01"),
        Arguments.of(Codec.optionalOf(string), Optional.empty(), "00"),
        Arguments.of(Codec.optionalOf(string), Optional.of(""), "01 00"),
        Arguments.of(
            Codec.of(Everything.class),
            new Everything(
                1,
                null,
                "",
                null,
                null,
                null,
                null,
                Optional.empty(),
                null,
                Set.of(),
                null,
                null,
                null),
            "0d 01000000 00 01 00 00 00 00 00 00 02 00 02 00 02"));
  }

  @ParameterizedTest
  @MethodSource("goldenTableOfGenerics")
  void bytes(Codec<Object> codec, Object value, String expected) {
    byte[] golden = Samples.hex(expected);
    assertThat(HexFormat.of().formatHex(Samples.encode(codec, value)))
        .isEqualTo(HexFormat.of().formatHex(golden));
    assertThat(Samples.decode(codec, golden)).isEqualTo(value);
  }

  @ParameterizedTest
  @MethodSource("goldenTable")
  void bytes(Object value, String expected) {
    Codec<Object> codec = Samples.codecFor(value);
    byte[] golden = Samples.hex(expected);
    assertThat(HexFormat.of().formatHex(Samples.encode(codec, value)))
        .isEqualTo(HexFormat.of().formatHex(golden));
    assertThat(Samples.decode(codec, golden)).isEqualTo(value);
  }

  @Test
  void lengths() {
    assertThat(length(0)).isEqualTo("00");
    assertThat(length(127)).isEqualTo("7f");
    assertThat(length(128)).isEqualTo("8001");
    assertThat(length(16_383)).isEqualTo("ff7f");
    assertThat(length(16_384)).isEqualTo("808001");
    assertThat(length(Integer.MAX_VALUE)).isEqualTo("ffffffff07");
  }

  /// The header of a string of 2^31 - 1 chars, which a test can't make.
  @Test
  void theHeaderOfTheLongestString() {
    EncodedOutput out = new EncodedOutput();
    out.writeVarint(-1);
    assertThat(HexFormat.of().formatHex(out.array(), 0, out.length())).isEqualTo("ffffffff0f");
  }

  @Test
  void anEmptyRecordHasOneByte() {
    Codec<Empty> codec = Codec.of(Empty.class);
    assertThat(Samples.encode(codec, new Empty())).containsExactly(0);
    assertThat(Samples.decode(codec, new byte[1])).isEqualTo(new Empty());
  }

  @Test
  void fingerprints() {
    assertThat(Codec.of(Integer.class).fingerprint()).isEqualTo("Integer");
    assertThat(Codec.of(int.class).fingerprint()).isEqualTo("Integer");
    assertThat(Codec.of(Long.class).fingerprint()).isEqualTo("Long");
    assertThat(Codec.of(long.class).fingerprint()).isEqualTo("Long");
    assertThat(Codec.of(String.class).fingerprint()).isEqualTo("String");
    assertThat(Codec.of(byte[].class).fingerprint()).isEqualTo("byte[]");
    assertThat(Codec.of(Empty.class).fingerprint())
        .isEqualTo("record io.holdfast.codec.FormatVersionOneTest$Empty()");
    String in = "io.holdfast.codec.Samples$";
    assertThat(Codec.of(Primitives.class).fingerprint())
        .isEqualTo(
            "record "
                + in
                + "Primitives(z:boolean,b:byte,s:short,c:char,i:int,l:long,f:float,d:double)");
    assertThat(Codec.of(Chain.class).fingerprint())
        .isEqualTo("record " + in + "Chain(n:long,next:^1)");
    String shape =
        "sealed IN$Shape(Circle:record IN$Shape$Circle(radius:double),"
            + "Rectangle:record IN$Shape$Rectangle(width:int,height:int),"
            + "Group:record IN$Shape$Compound$Group(shapes:List<^2>))";
    assertThat(Codec.of(Everything.class).fingerprint())
        .isEqualTo(
            ("record IN$Everything(i:int,boxed:Long,text:String,bytes:byte[],job:record"
                    + " IN$Job(n:int,who:String),color:enum IN$Color(RED,GREEN,BLUE),shape:"
                    + shape
                    + ",when:Optional<Instant>,"
                    + "pairs:List<record IN$Pair(first:String,second:Integer)>,"
                    + "amounts:Set<BigDecimal>,days:Map<UUID,List<LocalDate>>,"
                    + "words:Array<String>,last:OptionalLong)")
                .replace("IN$", in));
    assertThat(Samples.KINDS.stream().map(kind -> kind.codec().fingerprint()).limit(31).toList())
        .startsWith(
            "Boolean",
            "Byte",
            "Short",
            "Character",
            "Integer",
            "Long",
            "Float",
            "Double",
            "String",
            "UUID",
            "BigInteger",
            "BigDecimal",
            "OptionalInt",
            "OptionalLong",
            "OptionalDouble",
            "Instant",
            "Duration",
            "Period",
            "LocalDate",
            "LocalTime",
            "LocalDateTime",
            "OffsetDateTime",
            "OffsetTime",
            "ZonedDateTime",
            "ZoneId",
            "ZoneOffset",
            "Year",
            "YearMonth",
            "MonthDay")
        .endsWith(
            "enum java.time.DayOfWeek(MONDAY,TUESDAY,WEDNESDAY,THURSDAY,FRIDAY,SATURDAY,SUNDAY)",
            "enum java.time.Month(JANUARY,FEBRUARY,MARCH,APRIL,MAY,JUNE,JULY,AUGUST,SEPTEMBER,"
                + "OCTOBER,NOVEMBER,DECEMBER)");
  }

  private static Arguments row(Object value, String bytes) {
    return Arguments.of(value, bytes);
  }

  private static String length(int value) {
    EncodedOutput out = new EncodedOutput();
    out.writeLength(value);
    assertThat(Samples.input(Arrays.copyOf(out.array(), out.length())).readLength())
        .isEqualTo(value);
    return HexFormat.of().formatHex(out.array(), 0, out.length());
  }
}
