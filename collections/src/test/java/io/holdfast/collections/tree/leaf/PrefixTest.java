package io.holdfast.collections.tree.leaf;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.tree.leaf.LeafImage.Item;
import io.holdfast.collections.tree.node.TreeLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What a leaf keeps once, and what each entry takes then.
class PrefixTest {
  private static final String ALIKE = "a beginning that many have in common/";

  private static Item item(String key) {
    return Item.of(Encoded.of(key.getBytes(ISO_8859_1)), Encoded.of(1));
  }

  private static Prefix of(String... keys) {
    return Prefix.of(Stream.of(keys).map(PrefixTest::item).toList(), Prefix.NONE);
  }

  private static String text(Prefix prefix) {
    return new String(prefix.common().copy(), ISO_8859_1);
  }

  @Test
  void itIsWhatAllHaveInCommon() {
    Prefix prefix = of(ALIKE + "1", ALIKE + "2", ALIKE + "33");
    assertThat(text(prefix)).isEqualTo(ALIKE);
    assertThat(prefix.before()).isZero();
  }

  /// A string's length comes first, in one byte or two.
  @Test
  void itIsBehindALength() {
    assertThat(of("\2" + ALIKE + "1", "\3" + ALIKE + "22", "\4" + ALIKE + "333"))
        .isEqualTo(new Prefix(1, Encoded.of(ALIKE.getBytes(ISO_8859_1))));
    assertThat(of("\u0082\1" + ALIKE + "1", "\u0083\2" + ALIKE + "22", "\u0084\3" + ALIKE + "333"))
        .isEqualTo(new Prefix(2, Encoded.of(ALIKE.getBytes(ISO_8859_1))));
  }

  @Test
  void itIsNoneWhereItWouldTakeMore() {
    assertThat(of()).isEqualTo(Prefix.NONE);
    assertThat(of(ALIKE)).isEqualTo(Prefix.NONE);
    assertThat(of("eight..1", "eight..2", "eight..3", "eight..4")).isEqualTo(Prefix.NONE);
    assertThat(of("one", "other", "third")).isEqualTo(Prefix.NONE);
  }

  @Test
  void anOddKeyAtAnEndIsStoredWhole() {
    Prefix prefix = of("0 odd", ALIKE + "1", ALIKE + "2", ALIKE + "3", ALIKE + "4");
    assertThat(text(prefix)).isEqualTo(ALIKE);
    Item odd = item("0 odd");
    assertThat(prefix.shortened(odd)).isSameAs(odd);
    prefix = of(ALIKE + "1", ALIKE + "2", ALIKE + "3", ALIKE + "4", "z odd");
    assertThat(text(prefix)).isEqualTo(ALIKE);
  }

  /// Else an entry might need room that a leaf has not.
  @Test
  void entriesTakeAtMostWhatTheyTookAndWhatWasSaid() {
    Random random = new Random(5);
    for (int time = 0; time < 2_000; time++) {
      List<String> keys = new ArrayList<>();
      int alike = random.nextInt(100);
      for (int i = random.nextInt(40); i >= 0; i--) {
        String before = random.nextInt(10) == 0 ? "" : "x".repeat(alike);
        keys.add(before + Long.toString(random.nextLong() >>> random.nextInt(60), 36));
      }
      List<Item> items = keys.stream().sorted().map(PrefixTest::item).toList();
      Prefix before = of("x".repeat(alike) + "1", "x".repeat(alike) + "2", "x".repeat(alike) + "3");
      Prefix prefix = Prefix.of(items, before);
      int packed = prefix.packed(items);
      assertThat(packed)
          .isLessThanOrEqualTo(before.packed(items))
          .isLessThanOrEqualTo(Prefix.NONE.packed(items));
      int tail = prefix.words();
      for (Item item : items) {
        int words = prefix.shortened(item).words();
        tail = TreeLayout.place(tail, words) + words;
      }
      assertThat(tail).isEqualTo(packed);
    }
  }
}
