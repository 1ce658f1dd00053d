package io.holdfast.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// Bytes that no codec wrote give a [CodecException], or the value that they happen to be the one
/// form of: never another exception, a wrong length or an allocation that they can't pay for.
class DamagedBytesTest {
  private static final int ROUNDS = 25;

  private final RandomValues values = RandomValues.draw();

  @Test
  void everyTruncationIsRefused() {
    for (int round = 0; round < ROUNDS; round++) {
      Samples.oneOfEach(values).forEach(this::truncationsAreRefused);
    }
  }

  private <T> void truncationsAreRefused(Samples.Sample<T> sample) {
    Codec<T> codec = sample.codec();
    byte[] bytes = sample.bytes();
    // All of them for a short value; for a long one those near both ends, which matter.
    for (int length = 0; length < bytes.length; length++) {
      if (length > 200 && length < bytes.length - 200) {
        continue;
      }
      EncodedInput in = new EncodedInput();
      in.reset(bytes, 0, length); // what is beyond the limit is there and must not be read
      assertThatThrownBy(() -> codec.decode(in))
          .as("length=%s of %s, %s", length, bytes.length, values.rerun())
          .isExactlyInstanceOf(CodecException.class)
          .hasMessageContaining("limit=" + length);
    }
  }

  @Test
  void aTrailingByteIsRefused() {
    Samples.oneOfEach(values)
        .forEach(
            sample -> {
              byte[] bytes = sample.bytes();
              byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
              assertThatThrownBy(() -> Samples.decode(sample.codec(), longer))
                  .as(values.rerun())
                  .isExactlyInstanceOf(CodecException.class)
                  .hasMessageStartingWith("Bytes remain after the value: remaining=1 bytes");
            });
  }

  @Test
  void damageIsRefusedOrIsTheOneFormOfAnotherValue() {
    for (int round = 0; round < 100 * ROUNDS; round++) {
      Samples.oneOfEach(values)
          .forEach(
              sample -> {
                byte[] bytes = sample.bytes();
                for (int flips = values.nextInt(3); flips >= 0; flips--) {
                  // The first bytes hold the lengths and markers.
                  int at = values.nextInt(values.nextInt(2) == 0 ? bytes.length : 1);
                  bytes[at] = (byte) (values.aBoolean() ? values.anInt() : bytes[at] + 1);
                }
                canonicalOrRefused(sample.codec(), bytes);
              });
    }
  }

  @Test
  void noiseIsRefusedOrIsTheOneFormOfAValue() {
    for (int round = 0; round < 40 * ROUNDS; round++) {
      byte[] noise = values.bytes();
      for (Samples.Kind<?> kind : Samples.KINDS) {
        canonicalOrRefused(kind.codec(), noise);
      }
    }
  }

  private <T> void canonicalOrRefused(Codec<T> codec, byte[] bytes) {
    T value;
    try {
      value = Samples.decode(codec, bytes);
    } catch (CodecException _) {
      return;
    } catch (Throwable e) {
      throw new AssertionError(values.rerun(), e);
    }
    assertThat(Samples.encode(codec, value)).as(values.rerun()).isEqualTo(bytes);
  }
}
