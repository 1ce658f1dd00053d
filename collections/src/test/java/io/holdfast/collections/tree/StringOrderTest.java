package io.holdfast.collections.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.holdfast.codec.CodecException;
import io.holdfast.codec.Encoded;
import io.holdfast.codec.EncodedInput;
import io.holdfast.codec.EncodedOutput;
import io.holdfast.collections.tree.node.KeyOrder;
import io.holdfast.collections.tree.node.NaturalOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// The order of encoded strings is that of the strings.
class StringOrderTest {
  private static final long SEED = 0x57A1;

  private final KeyOrder order = NaturalOrder.of("String", StringOrderTest::decoded);

  @Test
  void itIsThatOfTheStrings() {
    List<String> strings = strings();
    for (String one : strings) {
      Encoded encoded = encoded(one);
      for (String other : strings) {
        assertEquals(
            Integer.signum(one.compareTo(other)),
            Integer.signum(order.compare(encoded, encoded(other))),
            () -> "'%s' and '%s'".formatted(one, other));
      }
    }
  }

  /// Of one and of two bytes a char, around the lengths at which the varint has a byte more.
  private static List<String> strings() {
    Random random = new Random(SEED);
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
    Encoded string = encoded("ab");
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
      assertThrows(CodecException.class, () -> order.compare(none, string));
      assertThrows(CodecException.class, () -> order.compare(string, none));
    }
  }

  private static Encoded encoded(String string) {
    EncodedOutput output = new EncodedOutput();
    output.writeString(string);
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
