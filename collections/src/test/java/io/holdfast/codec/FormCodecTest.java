package io.holdfast.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// Values that are read by their fingerprint alone.
final class FormCodecTest {
  enum Color {
    RED,
    GREEN
  }

  sealed interface Shape {}

  record Circle(double radius) implements Shape {}

  record Square(int side, Color color) implements Shape {}

  record Node(String name, List<Node> children) {}

  record All(
      long id,
      Integer boxed,
      boolean flag,
      String text,
      UUID uuid,
      BigDecimal amount,
      Instant at,
      Optional<String> maybe,
      OptionalInt maybeInt,
      List<String> list,
      Set<Long> set,
      Map<String, Long> map,
      int[] ints,
      Shape[] shapes) {}

  private static <T> Object read(Codec<T> codec, T value) {
    EncodedOutput out = new EncodedOutput();
    codec.encode(value, out);
    EncodedInput in = new EncodedInput();
    in.reset(out.array(), 0, out.length());
    Object read = FormCodec.of(codec.fingerprint(), _ -> null).decode(in);
    in.expectEnd();
    return read;
  }

  @Test
  void leavesAreWhatTheirCodecsRead() {
    UUID uuid = new UUID(1, 2);
    assertThat(read(Codec.of(Long.class), -5L)).isEqualTo(-5L);
    assertThat(read(Codec.of(String.class), "wörd\u20ac")).isEqualTo("wörd\u20ac");
    assertThat(read(Codec.of(UUID.class), uuid)).isEqualTo(uuid);
    assertThat(read(Codec.of(Color.class), Color.GREEN)).isEqualTo("GREEN");
    assertThat(read(Codec.of(byte[].class), new byte[] {1, 2})).isEqualTo(new byte[] {1, 2});
  }

  @Test
  void aRecordOfEverything() {
    All value =
        new All(
            1,
            2,
            true,
            "three",
            new UUID(4, 5),
            new BigDecimal("6.70"),
            Instant.ofEpochSecond(8),
            Optional.of("nine"),
            OptionalInt.of(10),
            List.of("a", "b"),
            Set.of(11L),
            Map.of("k", 12L),
            new int[] {13, 14},
            new Shape[] {new Circle(1.5), new Square(2, Color.RED)});

    Map<String, Object> expected = new LinkedHashMap<>();
    expected.put("id", 1L);
    expected.put("boxed", 2);
    expected.put("flag", true);
    expected.put("text", "three");
    expected.put("uuid", new UUID(4, 5));
    expected.put("amount", new BigDecimal("6.70"));
    expected.put("at", Instant.ofEpochSecond(8));
    expected.put("maybe", "nine");
    expected.put("maybeInt", OptionalInt.of(10));
    expected.put("list", List.of("a", "b"));
    expected.put("set", List.of(11L));
    expected.put("map", Map.of("k", 12L));
    expected.put("ints", List.of(13, 14));
    expected.put(
        "shapes",
        List.of(
            Map.of("Circle", Map.of("radius", 1.5)),
            Map.of("Square", Map.of("side", 2, "color", "RED"))));
    assertThat(read(Codec.of(All.class), value)).usingRecursiveComparison().isEqualTo(expected);
  }

  /// RECORD-FORM.
  @Test
  void whatWasNotWrittenIsZeroNullOrEmpty() {
    Object read =
        read(
            Codec.of(All.class),
            new All(
                0,
                null,
                false,
                null,
                null,
                null,
                null,
                Optional.empty(),
                OptionalInt.empty(),
                List.of(),
                Set.of(),
                Map.of(),
                null,
                null));

    Map<String, Object> expected = new LinkedHashMap<>();
    for (String name : FormCodec.components(Codec.of(All.class).fingerprint())) {
      expected.put(name, null);
    }
    expected.put("id", 0L);
    expected.put("flag", false);
    expected.put("maybeInt", OptionalInt.empty());
    expected.put("list", List.of());
    expected.put("set", List.of());
    expected.put("map", Map.of());
    assertThat(read).isEqualTo(expected);
  }

  @Test
  void aRecordThatContainsItself() {
    Node tree = new Node("top", List.of(new Node("leaf", List.of())));

    assertThat(read(Codec.of(Node.class), tree))
        .isEqualTo(
            Map.of(
                "name", "top", "children", List.of(Map.of("name", "leaf", "children", List.of()))));
  }

  /// One that can't be read is refused before anything is, and named.
  @Test
  void aCallersCodecIsAskedFor() {
    Codec<Long> own =
        new Codec<>() {
          @Override
          public String fingerprint() {
            return "my \"own\" long";
          }

          @Override
          public void encode(Long value, EncodedOutput out) {
            out.writeLong(value + 1);
          }

          @Override
          public Long decode(EncodedInput in) {
            return in.readLong() - 1;
          }
        };
    Codec<List<Long>> lists = Codec.listOf(own);
    EncodedOutput out = new EncodedOutput();
    lists.encode(List.of(1L, 2L), out);
    EncodedInput in = new EncodedInput();
    in.reset(Arrays.copyOf(out.array(), out.length()), 0, out.length());

    assertThatThrownBy(() -> FormCodec.of(lists.fingerprint(), _ -> null))
        .hasMessage("no codec is known for my \"own\" long");
    assertThat(
            FormCodec.of(lists.fingerprint(), text -> text.equals(own.fingerprint()) ? own : null)
                .decode(in))
        .isEqualTo(List.of(1L, 2L));
  }

  @Test
  void partsOfAFingerprint() {
    assertThat(FormCodec.parts("Map<String,Map<Long,Long>>"))
        .containsExactly("String", "Map<Long,Long>");
    assertThat(FormCodec.parts("Map<\"a \\\"codec\\\"\",Long>"))
        .containsExactly("a \"codec\"", "Long");
    assertThat(FormCodec.parts("String")).containsExactly("String");
    assertThat(FormCodec.components("record shop.Order(id:long,text:String)"))
        .containsExactly("id", "text");
    assertThat(FormCodec.components("String")).isEmpty();
  }
}
