package io.holdfast.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Values of a record, an enum or a sealed interface are read by a later form of it. Each pair
/// `Before` and `After` stands for one class that was changed; that the names differ shows that a
/// class may be renamed.
class RecordEvolutionTest {
  /// Writes with the first class's codec, reads with the second's as adapted, and returns that.
  private static <B, A> Codec<A> expectRead(Codec<B> before, B value, Codec<A> after, A expected) {
    Codec<A> adapted = after.adaptedTo(before.fingerprint());
    assertThat(Samples.decode(adapted, Samples.encode(before, value))).isEqualTo(expected);
    assertThat(Samples.decode(adapted, Samples.encode(adapted, expected))).isEqualTo(expected);
    return adapted;
  }

  private static <B, A> Codec<A> expectRead(Class<B> type, B value, Class<A> now, A expected) {
    return expectRead(Codec.of(type), value, Codec.of(now), expected);
  }

  private static void refuses(Class<?> before, Class<?> after, String... parts) {
    Codec<?> codec = Codec.of(after);
    String stored = Codec.of(before).fingerprint();
    assertThatThrownBy(() -> codec.adaptedTo(stored))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(parts);
  }

  record Before(long id, String text) {}

  record AtTheEnd(long id, String text, int n) {}

  record InTheMiddle(long id, int n, String text) {}

  record InFront(boolean flag, long id, String text) {}

  record OtherOrder(String text, long id) {}

  record SameOfOtherName(long id, String text) {}

  @Test
  void aComponentIsGainedAtAnyPlace() {
    Before before = new Before(7, "a");
    expectRead(Before.class, before, AtTheEnd.class, new AtTheEnd(7, "a", 0));
    expectRead(Before.class, before, InTheMiddle.class, new InTheMiddle(7, 0, "a"));
    expectRead(Before.class, before, InFront.class, new InFront(false, 7, "a"));
    expectRead(Before.class, before, OtherOrder.class, new OtherOrder("a", 7));
    expectRead(Before.class, before, SameOfOtherName.class, new SameOfOtherName(7, "a"));
  }

  /// The new fingerprint has the stored order, by which the next form goes on.
  @Test
  void componentsAreGainedOneAfterTheOther() {
    Codec<InTheMiddle> middle =
        expectRead(Before.class, new Before(7, "a"), InTheMiddle.class, new InTheMiddle(7, 0, "a"));
    assertThat(middle.fingerprint()).endsWith("InTheMiddle(id:long,text:String,n:int)");
    record Next(boolean flag, int n, long id, String text) {}
    Codec<Next> next =
        expectRead(
            middle, new InTheMiddle(1, 5, "b"), Codec.of(Next.class), new Next(false, 5, 1, "b"));
    assertThat(next.fingerprint()).endsWith("Next(id:long,text:String,n:int,flag:boolean)");
    assertThat(Samples.decode(next, Samples.encode(Codec.of(Before.class), new Before(7, "a"))))
        .isEqualTo(new Next(false, 0, 7, "a"));
  }

  /// RECORD-FORM.
  @Test
  void bytesOfOldKeysAreThoseOfNewOnes() {
    RandomValues values = RandomValues.draw();
    Codec<Before> before = Codec.of(Before.class);
    Codec<InFront> after = Codec.of(InFront.class).adaptedTo(before.fingerprint());
    for (int i = 0; i < 1_000; i++) {
      Before old = new Before(values.aLong(), values.aBoolean() ? values.string() : null);
      assertThat(Samples.encode(after, new InFront(false, old.id(), old.text())))
          .as(values.rerun())
          .isEqualTo(Samples.encode(before, old));
    }
  }

  record Defaults(
      long id,
      boolean z,
      byte b,
      short s,
      char c,
      int i,
      long l,
      float f,
      double d,
      Integer boxed,
      String text,
      int[] array,
      Before job,
      Optional<String> optional,
      OptionalInt optionalInt,
      List<Integer> list,
      Set<Integer> set,
      Map<Integer, Integer> map) {}

  @Test
  void whatIsGainedIsZeroNullOrEmpty() {
    record Id(long id) {}
    expectRead(
        Id.class,
        new Id(3),
        Defaults.class,
        new Defaults(
            3,
            false,
            (byte) 0,
            (short) 0,
            '\0',
            0,
            0,
            0.0f,
            0.0,
            null,
            null,
            null,
            null,
            Optional.empty(),
            OptionalInt.empty(),
            List.of(),
            Set.of(),
            Map.of()));
  }

  @Test
  void theConstructorMakesItsOwnOfWhatIsGained() {
    record After(long id, String text, String note) {
      After {
        note = note == null ? "none" : note;
      }
    }
    expectRead(Before.class, new Before(1, "a"), After.class, new After(1, "a", null));
  }

  record Nested(Before before, List<Before> list, Map<String, Before> map, Before[] array) {}

  record NestedAfter(
      AtTheEnd before, List<InFront> list, Map<String, OtherOrder> map, InTheMiddle[] array) {}

  @Test
  void nestedRecordsChangeAsWell() {
    Before a = new Before(1, "a");
    Nested before = new Nested(a, List.of(a, a), Map.of("k", a), new Before[] {a});
    Codec<NestedAfter> codec =
        Codec.of(NestedAfter.class).adaptedTo(Codec.of(Nested.class).fingerprint());
    NestedAfter after = Samples.decode(codec, Samples.encode(Codec.of(Nested.class), before));
    assertThat(after.before()).isEqualTo(new AtTheEnd(1, "a", 0));
    assertThat(after.list())
        .containsExactly(new InFront(false, 1, "a"), new InFront(false, 1, "a"));
    assertThat(after.map()).containsExactly(Map.entry("k", new OtherOrder("a", 1)));
    assertThat(after.array()).containsExactly(new InTheMiddle(1, 0, "a"));
  }

  record Tree(int n, List<Tree> children) {}

  record TreeAfter(Set<String> tags, int n, List<TreeAfter> children, TreeAfter other) {}

  @Test
  void recordsThatContainThemselvesChangeAsWell() {
    expectRead(
        Tree.class,
        new Tree(1, List.of(new Tree(2, List.of()))),
        TreeAfter.class,
        new TreeAfter(Set.of(), 1, List.of(new TreeAfter(Set.of(), 2, List.of(), null)), null));
    Codec<TreeAfter> adapted =
        Codec.of(TreeAfter.class).adaptedTo(Codec.of(Tree.class).fingerprint());
    TreeAfter leaf = new TreeAfter(Set.of("x"), 3, List.of(), null);
    TreeAfter all = new TreeAfter(Set.of("y"), 4, List.of(leaf), leaf);
    assertThat(Samples.decode(adapted, Samples.encode(adapted, all))).isEqualTo(all);
  }

  enum Size {
    SMALL,
    LARGE
  }

  enum SizeAfter {
    TINY,
    LARGE,
    MEDIUM,
    SMALL
  }

  @Test
  void anEnumGainsConstantsAtAnyPlace() {
    Codec<SizeAfter> after = expectRead(Size.class, Size.LARGE, SizeAfter.class, SizeAfter.LARGE);
    assertThat(after.fingerprint()).endsWith("SizeAfter(SMALL,LARGE,TINY,MEDIUM)");
    for (SizeAfter each : SizeAfter.values()) {
      assertThat(Samples.decode(after, Samples.encode(after, each))).isEqualTo(each);
    }
  }

  sealed interface Shape {
    record Circle(int radius) implements Shape {}
  }

  sealed interface ShapeAfter {
    record Square(int side) implements ShapeAfter {}

    record Circle(int radius, String color) implements ShapeAfter {}
  }

  @Test
  void aSealedInterfaceGainsRecords() {
    Codec<ShapeAfter> after =
        expectRead(
            Codec.of(Shape.class),
            new Shape.Circle(1),
            Codec.of(ShapeAfter.class),
            new ShapeAfter.Circle(1, null));
    ShapeAfter square = new ShapeAfter.Square(5);
    assertThat(Samples.decode(after, Samples.encode(after, square))).isEqualTo(square);
  }

  @Test
  void collectionsOfRecordsAreAdaptedByTheirElements() {
    expectRead(
        Codec.mapOf(Codec.of(Size.class), Codec.optionalOf(Codec.of(Before.class))),
        Map.of(Size.SMALL, Optional.of(new Before(1, "a"))),
        Codec.mapOf(Codec.of(SizeAfter.class), Codec.optionalOf(Codec.of(AtTheEnd.class))),
        Map.of(SizeAfter.SMALL, Optional.of(new AtTheEnd(1, "a", 0))));
  }

  record Lost(long id) {}

  record Renamed(long id, String name) {}

  record Changed(long id, List<String> text) {}

  record Boxed(Long id, String text) {}

  @Test
  void aComponentThatWasLostIsNamed() {
    refuses(
        Before.class,
        Lost.class,
        "record io.holdfast.codec.RecordEvolutionTest$Lost has lost text:String, which stored"
            + " values have (or it was renamed). To go on: put it back; or copy the collection into"
            + " another one with a program that has both forms");
    refuses(Before.class, Renamed.class, "has lost text:String");
  }

  @Test
  void aComponentThatChangedIsNamed() {
    refuses(
        Before.class,
        Changed.class,
        "values have another form at text: stored=String, asked=List<String>. To go on: use the"
            + " stored form, and a further component for the new one; or copy the collection into"
            + " another one with a program that has both forms");
    refuses(Before.class, Boxed.class, "values have another form at id: stored=long, asked=Long");
  }

  @Test
  void theWayToANestedComponentIsNamed() {
    record Wrong(Before before, List<Changed> list, Map<String, Before> map, Before[] array) {}
    record Less(Lost before, List<Before> list, Map<String, Before> map, Before[] array) {}
    refuses(Nested.class, Wrong.class, "values have another form at list.element.text: ");
    refuses(
        Nested.class,
        Less.class,
        "record io.holdfast.codec.RecordEvolutionTest$Lost at before has lost text:String");
    refuses(SizeAfter.class, Size.class, "enum ", "Size has lost TINY");
    refuses(ShapeAfter.class, Shape.class, "sealed ", "Shape has lost Square:record ");
  }

  @Test
  void anotherTypeIsRefused() {
    refuses(
        Before.class,
        String.class,
        "values have another form: stored=record io.holdfast.codec.RecordEvolutionTest$Before("
            + "id:long,text:String), asked=String. Open it as what it is, or use another name");
    refuses(String.class, Before.class, "values have another form: stored=String, asked=record ");
    refuses(Size.class, Before.class, "values have another form: stored=enum ");
    refuses(Tree.class, Before.class, "has lost n:int");
  }

  @Test
  void otherNestingIsRefused() {
    record Inner(int n, List<Tree> children) {}
    refuses(Tree.class, Inner.class, "values have another form at children.element: stored=^1");
  }

  /// A caller's codec within a list, with a fingerprint that looks like one of ours.
  private record Custom(String fingerprint) implements Codec<String> {
    @Override
    public void encode(String value, EncodedOutput out) {
      out.writeString(value);
    }

    @Override
    public String decode(EncodedInput in) {
      return in.readString();
    }
  }

  @Test
  void aCallersCodecIsComparedByItsText() {
    for (String text :
        List.of("", "v1", "String", "record a(b:c", "\"quoted\" \\ >,<", "List<x>")) {
      Codec<String> custom = new Custom(text);
      assertThat(custom.adaptedTo(text)).isSameAs(custom);
      Codec<List<String>> list = Codec.listOf(custom);
      Codec<List<String>> adapted = list.adaptedTo(list.fingerprint() + "");
      assertThat(adapted.fingerprint()).isEqualTo(list.fingerprint());
      assertThat(Schema.of(list.fingerprint())).hasToString(list.fingerprint());
      assertThatThrownBy(() -> Codec.listOf(new Custom("other")).adaptedTo(list.fingerprint()))
          .isExactlyInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("values have another form: stored=" + text + ", asked=other");
      assertThatThrownBy(() -> Codec.listOf(Codec.of(String.class)).adaptedTo(list.fingerprint()))
          .isExactlyInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("values have another form at element: stored=\"");
    }
  }

  @Test
  void everyFingerprintIsReadBack() {
    for (Samples.Kind<?> kind : Samples.KINDS) {
      String text = kind.codec().fingerprint();
      assertThat(Schema.of(text)).isNotInstanceOf(Schema.Text.class).hasToString(text);
    }
  }

  /// Whatever stands where a fingerprint should, it is text or a structure.
  @Test
  void damagedFingerprintsAreTextOrRefused() {
    RandomValues values = RandomValues.draw();
    List<String> texts = new ArrayList<>();
    texts.add("List<".repeat(1_000_000));
    texts.add("record a(b:".repeat(100_000));
    texts.add("^99999999999999999999");
    texts.add("^0");
    for (Samples.Kind<?> kind : Samples.KINDS) {
      String text = kind.codec().fingerprint();
      for (int i = 0; i < 100; i++) {
        StringBuilder damaged = new StringBuilder(text);
        int at = values.nextInt(damaged.length());
        String noise = " (),:<>^\"\\x1";
        damaged.setCharAt(at, noise.charAt(values.nextInt(noise.length())));
        if (values.aBoolean()) {
          damaged.setLength(values.nextInt(damaged.length()));
        }
        texts.add(damaged.toString());
      }
    }
    Codec<?> codec = Codec.of(Samples.Everything.class);
    for (String text : texts) {
      try {
        Schema schema = Schema.of(text);
        assertThat(schema instanceof Schema.Text || schema.toString().equals(text))
            .as("%s, %s", text, values.rerun())
            .isTrue();
        codec.adaptedTo(text);
      } catch (IllegalArgumentException _) {
        // refused
      }
    }
  }
}
