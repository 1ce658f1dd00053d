package io.holdfast.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Which classes have a codec, and what is said about those that have none.
class CodecOfTest {
  private static final String REMEDY =
      ": supported are Integer, Long, String, byte[] and records of these, int, long and such"
          + " records; pass a Codec of your own instead of the class";

  record Node(int n, Node next) {}

  record Ping(Pong pong) {}

  record Pong(Ping ping) {}

  record Holder(Wrong wrong) {}

  record Wrong(double d) {}

  record Box<T>(T value) {}

  record Twice(Samples.Job first, Samples.Job second) {}

  @TempDir private Path directory;

  @Test
  void otherClassesAreRefused() {
    refuses(BigInteger.class, "There is no built-in codec for java.math.BigInteger" + REMEDY);
    refuses(int[].class, "There is no built-in codec for int[]" + REMEDY);
    refuses(double.class, "There is no built-in codec for double" + REMEDY);
    refuses(Record.class, "There is no built-in codec for java.lang.Record" + REMEDY);
    refuses(Object.class, "There is no built-in codec for java.lang.Object" + REMEDY);
  }

  @Test
  void aComponentThatIsNotSupportedIsRefusedWithTheWayToIt() {
    refuses(
        Holder.class,
        "There is no built-in codec for double, a component of"
            + " io.holdfast.codec.CodecOfTest$Holder > io.holdfast.codec.CodecOfTest$Wrong"
            + REMEDY);
    refuses(
        Box.class,
        "There is no built-in codec for java.lang.Object, a component of"
            + " io.holdfast.codec.CodecOfTest$Box"
            + REMEDY);
  }

  @Test
  void aRecordThatContainsItselfIsRefused() {
    refuses(
        Node.class,
        "There is no built-in codec for record io.holdfast.codec.CodecOfTest$Node, which contains"
            + " itself: io.holdfast.codec.CodecOfTest$Node > io.holdfast.codec.CodecOfTest$Node;"
            + " pass a Codec of your own instead of the class");
    refuses(
        Ping.class,
        "There is no built-in codec for record io.holdfast.codec.CodecOfTest$Ping, which contains"
            + " itself: io.holdfast.codec.CodecOfTest$Ping > io.holdfast.codec.CodecOfTest$Pong >"
            + " io.holdfast.codec.CodecOfTest$Ping; pass a Codec of your own instead of the"
            + " class");
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

  /// 252 is what the JDK's method handles leave; the Java language ends at 254.
  @Test
  void asManyComponentsAsMethodHandlesTake() {
    roundTrip(wide("int", 252));
    roundTrip(wide("long", 126));
    roundTrip(wide("String", 252));
  }

  @Test
  void moreComponentsAreRefused() {
    refuses(
        wide("int", 253),
        "Record shop.Order has too many components for the built-in codec: slots=253 (a long takes"
            + " 2, others 1), allowed=252; pass a Codec of your own instead of the class");
    refuses(
        wide("long", 127),
        "Record shop.Order has too many components for the built-in codec: slots=254 (a long takes"
            + " 2, others 1), allowed=252; pass a Codec of your own instead of the class");
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

  /// Zeros and nulls: their bytes are zeros in any type.
  private static <T> void roundTrip(Class<T> type) {
    Codec<T> codec = Codec.of(type);
    int size = type.getRecordComponents().length;
    Class<?> component = type.getRecordComponents()[0].getType();
    int each = component == int.class ? 4 : component == long.class ? 8 : 1;
    byte[] zeros = new byte[size * each];
    T value = Samples.decode(codec, zeros);
    assertThat(Samples.encode(codec, value)).isEqualTo(zeros);
    assertThat(value.toString()).contains("c" + (size - 1) + "=");
  }

  private static void refuses(Class<?> type, String message) {
    assertThatThrownBy(() -> Codec.of(type))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }
}
