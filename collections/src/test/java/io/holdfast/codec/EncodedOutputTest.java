package io.holdfast.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class EncodedOutputTest {
  private final EncodedOutput out = new EncodedOutput();

  @Test
  void growthKeepsWhatWasWritten() {
    for (int i = 0; i < 10_000; i++) {
      out.writeInt(i);
    }
    EncodedInput in = new EncodedInput();
    in.reset(out.array(), 0, out.length());
    for (int i = 0; i < 10_000; i++) {
      assertThat(in.readInt()).isEqualTo(i);
    }
    in.expectEnd();
  }

  @Test
  void writesAPartOfAnArray() {
    out.writeBytes(new byte[] {1, 2, 3, 4}, 1, 2);
    assertThat(out.length()).isEqualTo(2);
    assertThat(out.array()).startsWith(2, 3);
  }

  /// Nothing is written and nothing allocated.
  @Test
  void aPartOutsideTheArrayIsMisuse() {
    byte[] buffer = out.array();
    assertThatThrownBy(() -> out.writeBytes(new byte[4], 0, 1 << 20))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(out.array()).isSameAs(buffer);
    assertThat(out.length()).isZero();
  }

  @Test
  void aNegativeLengthIsRefused() {
    assertThatThrownBy(() -> out.writeLength(-1))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage("A length must not be negative: length=-1");
  }

  @Test
  void aBufferOfUpToAMebibyteIsKept() {
    out.writeBytes(new byte[1 << 20], 0, 1 << 20);
    byte[] buffer = out.array();
    out.reset();
    assertThat(out.length()).isZero();
    assertThat(out.array()).isSameAs(buffer);
  }

  @Test
  void aBufferBeyondAMebibyteIsGivenBack() {
    out.writeBytes(new byte[(1 << 20) + 1], 0, (1 << 20) + 1);
    out.reset();
    assertThat(out.length()).isZero();
    assertThat(out.array()).hasSizeLessThan(1 << 10);
  }

  @Test
  void theLimitIsTheLongestArray() {
    assertThat(EncodedOutput.LENGTH_MAX).isEqualTo(2_147_483_639);
  }

  @Test
  void growsToTheLimitAndNotBeyond() {
    EncodedOutput small = new EncodedOutput("An encoded value", 1_000);
    small.writeBytes(new byte[996], 0, 996);
    small.writeInt(7);
    assertThat(small.length()).isEqualTo(1_000);
    assertThat(small.array()).hasSize(1_000);
    assertThatThrownBy(() -> small.writeByte(1))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "An encoded value must fit in 1000 bytes: written=1000 bytes, next=1 bytes;"
                + " split the value");
    assertThat(small.length()).isEqualTo(1_000);
  }

  @Test
  void aStringOverTheLimitIsRefused() {
    EncodedOutput small = new EncodedOutput("An encoded value", 1_000);
    assertThatThrownBy(() -> small.writeString("\u20ac".repeat(500)))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "An encoded value must fit in 1000 bytes: written=2 bytes, next=1000 bytes;"
                + " split the value");
  }

  @Test
  void whoMadeItSaysWhatIsWritten() {
    EncodedOutput small = new EncodedOutput("shop.hf: an element of a queue of Long", 0);
    assertThatThrownBy(() -> small.writeLong(1))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "shop.hf: an element of a queue of Long must fit in 0 bytes: written=0 bytes,"
                + " next=8 bytes; split the value");
    assertThatThrownBy(() -> new EncodedOutput("x", -1))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage("An output's limit is from 0 to 2147483639 bytes: lengthMax=-1");
  }
}
