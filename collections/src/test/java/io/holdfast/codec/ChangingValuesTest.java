package io.holdfast.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.AbstractList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Values that change while they are encoded, and others that lie: what a built-in codec could not
/// read it does not write (READABLE-1).
class ChangingValuesTest {
  record Order(long id, List<String> lines) {}

  record Tagged(List<String> lines, long id) {}

  /// A list that is emptied when it has been looked at so many times.
  private static final class Emptied extends AbstractList<String> {
    private int looks;

    Emptied(int looks) {
      this.looks = looks;
    }

    @Override
    public String get(int index) {
      return "line";
    }

    @Override
    public int size() {
      return looks > 0 ? 1 : 0;
    }

    @Override
    public boolean equals(Object other) {
      return looks-- <= 0;
    }

    @Override
    public int hashCode() {
      return 0;
    }

    @Override
    public Object[] toArray() {
      return looks-- > 0 ? new Object[] {"line"} : new Object[0];
    }

    /// `List.of().equals(this)` asks it.
    @Override
    public java.util.Iterator<String> iterator() {
      return looks-- > 0 ? List.of("line").iterator() : Collections.emptyIterator();
    }
  }

  private static <T> T thereAndBack(Codec<T> codec, T value) {
    EncodedOutput out = new EncodedOutput();
    codec.encode(value, out);
    EncodedInput in = new EncodedInput();
    in.reset(out.array(), 0, out.length());
    T read = codec.decode(in);
    in.expectEnd();
    return read;
  }

  @Test
  void readable1AListThatIsEmptiedMeanwhile() {
    Codec<Order> codec = Codec.of(Order.class);
    Codec<Tagged> tagged = Codec.of(Tagged.class);
    int refused = 0;
    for (int looks = 0; looks < 6; looks++) {
      try {
        assertThat(thereAndBack(codec, new Order(1, new Emptied(looks))).id()).isEqualTo(1);
      } catch (CodecException e) {
        refused++;
        assertThat(e)
            .hasMessageStartingWith("A component of a record has changed while it was encoded")
            .hasMessageEndingWith("Nothing was stored; let no other thread change it meanwhile");
      }
      try {
        assertThat(thereAndBack(tagged, new Tagged(new Emptied(looks), 1)).id()).isEqualTo(1);
      } catch (CodecException e) {
        refused++;
        assertThat(e).hasMessageStartingWith("A component of a record has changed");
      }
    }
    assertThat(refused).isGreaterThanOrEqualTo(3);
    assertThat(thereAndBack(codec, new Order(1, List.of("a"))).lines()).containsExactly("a");
  }

  record Moving(long id, int state) {
    private static int looks;

    @Override
    public int state() {
      return looks++ == 0 ? 1 : 0;
    }
  }

  @Test
  void readable1AnAccessorWhoseValueChanges() {
    Codec<Moving> codec = Codec.of(Moving.class);
    assertThatExceptionOfType(CodecException.class)
        .isThrownBy(() -> codec.encode(new Moving(1, 1), new EncodedOutput()))
        .withMessageStartingWith("A component of a record has changed while it was encoded");
  }

  /// A number that gives its bytes with a needless one.
  private static final class Padded extends BigInteger {
    private static final long serialVersionUID = 1;

    Padded(String text) {
      super(text);
    }

    @Override
    public byte[] toByteArray() {
      byte[] bytes = super.toByteArray();
      byte[] padded = new byte[bytes.length + 1];
      System.arraycopy(bytes, 0, padded, 1, bytes.length);
      return padded;
    }
  }

  @Test
  void readable1ANumberOfAnotherClass() {
    assertThat(thereAndBack(Codec.of(BigInteger.class), new Padded("77"))).isEqualTo(77);
  }

  record Person(long id, String name) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Person(long otherId, _) && id == otherId;
    }

    @Override
    public int hashCode() {
      return Long.hashCode(id);
    }
  }

  record Team(Set<Person> members) {}

  @Test
  void whichCodecsAreReadBack() {
    Set<Person> twoEqual = Collections.newSetFromMap(new IdentityHashMap<>());
    twoEqual.add(new Person(1, "a"));
    twoEqual.add(new Person(1, "b"));
    assertThatThrownBy(() -> thereAndBack(Codec.setOf(Codec.of(Person.class)), twoEqual))
        .isInstanceOf(CodecException.class);
    Map<Person, String> byName = new TreeMap<>(Comparator.comparing(Person::name));
    twoEqual.forEach(each -> byName.put(each, ""));
    Codec<Map<Person, String>> maps = Codec.mapOf(Codec.of(Person.class), Codec.of(String.class));
    assertThatThrownBy(() -> thereAndBack(maps, byName)).isInstanceOf(CodecException.class);
    assertThat(CodecTrust.of(maps)).isEqualTo(new CodecTrust(false, true, true));
    assertThat(CodecTrust.of(Codec.of(Team.class))).isEqualTo(new CodecTrust(false, true, true));
    assertThat(CodecTrust.of(Codec.of(Order.class))).isEqualTo(new CodecTrust(false, true, false));
    assertThat(CodecTrust.of(Codec.listOf(Codec.of(Order.class))))
        .isEqualTo(new CodecTrust(false, true, false));
    Codec<Set<String>> texts = Codec.setOf(Codec.of(String.class));
    assertThat(CodecTrust.of(texts)).isEqualTo(new CodecTrust(false, false, false));
    assertThat(CodecTrust.of(Codec.of(BigInteger.class)))
        .isEqualTo(new CodecTrust(false, false, false));
    for (Class<?> alone : List.of(Thread.State.class, String.class, Long.class, byte[].class)) {
      assertThat(CodecTrust.of(Codec.of(alone))).isEqualTo(new CodecTrust(true, false, false));
    }
  }
}
