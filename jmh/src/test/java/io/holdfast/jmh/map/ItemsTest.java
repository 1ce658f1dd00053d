package io.holdfast.jmh.map;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ItemsTest {
  @Test
  void noTwoKeysAreTheSame() {
    assertThat(LongStream.range(0, 100_000).map(Items::longKey).distinct().count())
        .isEqualTo(100_000);
    assertThat(Items.key(1)).hasSize(16).isNotEqualTo(Items.key(2)).isEqualTo(Items.key(1));
  }

  @Test
  void aValueSaysItsNumber() {
    byte[] value = Items.value(7, 100);
    assertThat(value).hasSize(100);
    assertThat(Items.number(value)).isEqualTo(7);
    assertThat(Arrays.copyOfRange(value, 8, 100)).isNotEqualTo(new byte[92]);
  }

  @Test
  void allItemsAreDrawn() {
    Draws draws = new Draws(0);
    assertThat(LongStream.range(0, 10_000).map(_ -> draws.item(100)).distinct().sorted().toArray())
        .isEqualTo(LongStream.range(0, 100).toArray());
  }
}
