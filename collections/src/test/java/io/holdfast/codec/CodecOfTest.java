package io.holdfast.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Which classes have a codec, and what is said about those that have none.
class CodecOfTest {
  private static final String REMEDY =
      ": supported are primitives and their wrappers, String, UUID, BigInteger, BigDecimal, the"
          + " value types of java.time, enums, arrays, records, sealed interfaces of records, and"
          + " List, Set, Map and Optional with their types (by themselves: Codec.listOf and its"
          + " like); pass a Codec of your own instead of the class";

  record Ping(int n, Pong pong) {}

  record Pong(Ping ping, List<Pong> others) {}

  record Holder(Wrong wrong) {}

  record Wrong(Thread thread) {}

  record Box<T>(T value) {}

  record Boxes(Box<String> text, Box<List<Integer>> list, Box<Box<Long>> box) {}

  record Wild(List<? extends Number> numbers) {}

  record Endless<T>(Endless<List<T>> next) {}

  record Start(Endless<Integer> endless) {}

  @SuppressWarnings("rawtypes")
  record Raw(List list) {}

  sealed interface Open permits Plain, Other {}

  record Plain() implements Open {}

  static non-sealed class Other implements Open {}

  sealed interface Diamond permits Side, Both {}

  sealed interface Side extends Diamond permits Both {}

  record Both(int n) implements Side, Diamond {}

  sealed interface Twins {
    record Same() implements Twins {}

    sealed interface Nested extends Twins {
      record Same() implements Nested {}
    }
  }

  record Twice(Samples.Job first, Samples.Job second) {}

  @TempDir private Path directory;

  @Test
  void otherClassesAreRefused() {
    refuses(Path.class, "There is no built-in codec for java.nio.file.Path" + REMEDY);
    refuses(Thread[].class, "There is no built-in codec for java.lang.Thread" + REMEDY);
    refuses(void.class, "There is no built-in codec for void" + REMEDY);
    refuses(Record.class, "There is no built-in codec for java.lang.Record" + REMEDY);
    refuses(Enum.class, "There is no built-in codec for java.lang.Enum" + REMEDY);
    refuses(Object.class, "There is no built-in codec for java.lang.Object" + REMEDY);
    refuses(List.class, "There is no built-in codec for java.util.List" + REMEDY);
    refuses(ArrayList.class, "There is no built-in codec for java.util.ArrayList" + REMEDY);
  }

  @Test
  void aComponentThatIsNotSupportedIsRefusedWithTheWayToIt() {
    refuses(
        Holder.class,
        "There is no built-in codec for java.lang.Thread, within"
            + " io.holdfast.codec.CodecOfTest$Holder > io.holdfast.codec.CodecOfTest$Wrong"
            + REMEDY);
    String within = ", within io.holdfast.codec.CodecOfTest$";
    refuses(Box.class, "There is no built-in codec for T" + within + "Box" + REMEDY);
    refuses(Raw.class, "There is no built-in codec for java.util.List" + within + "Raw" + REMEDY);
    refuses(
        Wild.class,
        "There is no built-in codec for ? extends java.lang.Number" + within + "Wild" + REMEDY);
  }

  @Test
  void handlesAreComposedOnceForTheSameArguments() {
    Codec<Box<Long>> longs = Codec.of(Box.class, List.of(Long.class));
    Codec<Box<String>> texts = Codec.of(Box.class, List.of(String.class));
    assertThat(Codec.<Box<Long>>of(Box.class, List.of(Long.class))).isSameAs(longs);
    assertThat(Codec.<Box<String>>of(Box.class, List.of(String.class))).isSameAs(texts);
    assertThat(texts).isNotEqualTo(longs);
  }

  @Test
  void typeParametersAreKnownWithinARecord() {
    Codec<Box<Long>> alone = Codec.of(Box.class, List.of(Long.class));
    assertThat(alone.fingerprint())
        .isEqualTo("record %s(value:Long)".formatted(Box.class.getName()));
    Codec<Boxes> codec = Codec.of(Boxes.class);
    Boxes value =
        new Boxes(new Box<>("a"), new Box<>(List.of(1)), new Box<>(new Box<>(Long.MAX_VALUE)));
    assertThat(Samples.decode(codec, Samples.encode(codec, value))).isEqualTo(value);
  }

  @Test
  void recordsThatContainEachOtherWork() {
    Codec<Ping> codec = Codec.of(Ping.class);
    Pong inner = new Pong(new Ping(2, null), List.of(new Pong(null, List.of())));
    Ping value = new Ping(1, inner);
    assertThat(Samples.decode(codec, Samples.encode(codec, value))).isEqualTo(value);
    assertThat(codec.fingerprint())
        .isEqualTo(
            "record io.holdfast.codec.CodecOfTest$Ping(n:int,"
                + "pong:record io.holdfast.codec.CodecOfTest$Pong(ping:^2,others:List<^1>))");
  }

  @Test
  void typesWithoutEndAreRefused() {
    assertThatThrownBy(() -> Codec.of(Start.class))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("whose types are nested deeper than 64 levels");
  }

  @Test
  void aRecordThatIsReachedByTwoWaysIsOne() {
    Codec<Diamond> codec = Codec.of(Diamond.class);
    assertThat(codec.fingerprint())
        .isEqualTo(
            "sealed io.holdfast.codec.CodecOfTest$Diamond("
                + "Both:record io.holdfast.codec.CodecOfTest$Both(n:int))");
    assertThat(Samples.decode(codec, Samples.encode(codec, new Both(3)))).isEqualTo(new Both(3));
  }

  @Test
  void sealedInterfacesOfOthersThanRecordsAreRefused() {
    refuses(
        Open.class,
        "There is no built-in codec for io.holdfast.codec.CodecOfTest$Open, as"
            + " io.holdfast.codec.CodecOfTest$Other is neither a record nor a sealed interface");
    refuses(
        Twins.class,
        "There is no built-in codec for io.holdfast.codec.CodecOfTest$Twins, as two of its records"
            + " have the same simple name: [class io.holdfast.codec.CodecOfTest$Twins$Same, class"
            + " io.holdfast.codec.CodecOfTest$Twins$Nested$Same]");
  }

  @Test
  void aRecordTwiceSideBySideIsNotRecursive() {
    Codec<Twice> codec = Codec.of(Twice.class);
    Twice value = new Twice(new Samples.Job(1, "a"), new Samples.Job(2, "b"));
    assertThat(Samples.decode(codec, Samples.encode(codec, value))).isEqualTo(value);
  }

  @Test
  void nullIsRefused() {
    assertThatThrownBy(() -> Codec.of(null)).isInstanceOf(NullPointerException.class);
  }

  @Test
  void aModuleThatDoesNotOpenItsPackageIsNamed() {
    CompiledRecord hidden = new CompiledRecord(directory, "record Order(int n) {}");
    refuses(
        hidden.inModule("module depot {}"),
        "Record shop.Order is not accessible: module depot does not open package shop; add"
            + " `opens shop;` to the module-info.java of depot, or pass a Codec of your own"
            + " instead of the class");
  }

  @Test
  void aModuleThatOpensItsPackageWorks() {
    CompiledRecord open = new CompiledRecord(directory, "record Order(int n) {}");
    assertThat(Codec.of(open.inModule("module depot { opens shop; }")).fingerprint())
        .isEqualTo("record shop.Order(n:int)");
  }

  @Test
  void aPublicRecordOfAnExportedPackageNeedsNoOpening() {
    CompiledRecord open = new CompiledRecord(directory, "public record Order(int n) {}");
    assertThat(Codec.of(open.inModule("module depot { exports shop; }")).fingerprint())
        .isEqualTo("record shop.Order(n:int)");
  }

  /// 251 is what the JDK's method handles leave; the Java language ends at 254.
  @Test
  void asManyComponentsAsMethodHandlesTake() {
    roundTrip(wide("int", 251));
    roundTrip(wide("long", 125));
    roundTrip(wide("String", 251));
  }

  @Test
  void moreComponentsAreRefused() {
    refuses(
        wide("int", 252),
        "Record shop.Order has too many components for the built-in codec: slots=252 (a long or a"
            + " double takes 2, others 1), allowed=251; pass a Codec of your own instead of the"
            + " class");
    refuses(
        wide("long", 126),
        "Record shop.Order has too many components for the built-in codec: slots=252 (a long or a"
            + " double takes 2, others 1), allowed=251; pass a Codec of your own instead of the"
            + " class");
  }

  private Class<?> wide(String type, int count) {
    StringBuilder components = new StringBuilder();
    for (int i = 0; i < count; i++) {
      components.append(i == 0 ? "" : ", ").append(type).append(" c").append(i);
    }
    String source = "public record Order(" + components + ") {}";
    return new CompiledRecord(directory.resolve(type + count), source)
        .inModule("module depot { exports shop; }");
  }

  /// The last component alone has a value.
  private static <T> void roundTrip(Class<T> type) {
    Codec<T> codec = Codec.of(type);
    int size = type.getRecordComponents().length;
    Class<?> component = type.getRecordComponents()[0].getType();
    int each = component == int.class ? 4 : component == long.class ? 8 : 1;
    EncodedOutput out = new EncodedOutput();
    out.writeLength(size);
    out.writeBytes(new byte[size * each - 1], 0, size * each - 1);
    out.writeByte(1);
    if (component == String.class) {
      out.writeString("");
    }
    byte[] bytes = Arrays.copyOf(out.array(), out.length());
    T value = Samples.decode(codec, bytes);
    assertThat(Samples.encode(codec, value)).isEqualTo(bytes);
    assertThat(value.toString()).contains("c" + (size - 1) + "=");
    T zeros = Samples.decode(codec, new byte[1]);
    assertThat(Samples.encode(codec, zeros)).containsExactly(0);
  }

  private static void refuses(Class<?> type, String message) {
    assertThatThrownBy(() -> Codec.of(type))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }
}
