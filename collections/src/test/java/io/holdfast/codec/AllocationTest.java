package io.holdfast.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.time.LocalDate;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// Counts bytes instead of time: an encoding allocates nothing, a decoding its result alone.
class AllocationTest {
  private static final int ROUNDS = 20_000;
  private static final int ATTEMPTS = 20;

  record Trade(long id, int amount, long price) {}

  record Flat(long id, double x, String text, Integer n, Samples.Color color, String absent) {}

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final EncodedOutput out = new EncodedOutput();
  private final EncodedInput in = new EncodedInput();
  private Object sink;

  @Test
  void encodingAllocatesNothing() {
    assertThat(encoding(Codec.of(Long.class), 1L << 40)).isZero();
    assertThat(encoding(Codec.of(Integer.class), 1 << 20)).isZero();
    assertThat(encoding(Codec.of(byte[].class), new byte[64])).isZero();
    assertThat(encoding(Codec.of(String.class), "na\u00efve")).isZero();
    assertThat(encoding(Codec.of(String.class), "\u20ac")).isZero();
    assertThat(encoding(Codec.of(Trade.class), new Trade(1L << 40, 1 << 20, 3))).isZero();
    assertThat(encoding(Codec.of(Double.class), 1e100)).isZero();
    assertThat(encoding(Codec.of(UUID.class), new UUID(1, 2))).isZero();
    assertThat(encoding(Codec.of(Instant.class), Instant.EPOCH)).isZero();
    assertThat(encoding(Codec.of(LocalDate.class), LocalDate.EPOCH)).isZero();
    Flat flat = new Flat(1L << 40, 1e100, "text", 1 << 20, Samples.Color.BLUE, null);
    assertThat(encoding(Codec.of(Flat.class), flat)).isZero();
    Codec<Flat> adapted = Codec.of(Flat.class).adaptedTo("record Old(text:String,x:double)");
    assertThat(encoding(adapted, flat)).isZero();
  }

  /// Sizes of HotSpot with its default headers of 12 bytes, of arrays 16, rounded up to 8.
  @Test
  void decodingAllocatesItsResult() {
    assertThat(decoding(Codec.of(Long.class), 1L << 40)).isEqualTo(24);
    assertThat(decoding(Codec.of(Integer.class), 1 << 20)).isEqualTo(16);
    assertThat(decoding(Codec.of(byte[].class), new byte[64])).isEqualTo(16 + 64);
    assertThat(decoding(Codec.of(String.class), "0123456789abcdef")).isEqualTo(24 + 16 + 16);
    assertThat(decoding(Codec.of(Trade.class), new Trade(1L << 40, 1 << 20, 3))).isEqualTo(32);
    assertThat(decoding(Codec.of(UUID.class), new UUID(1, 2))).isEqualTo(32);
  }

  private <T> long encoding(Codec<T> codec, T value) {
    return bytesEach(
        () -> {
          out.reset();
          codec.encode(value, out);
        });
  }

  private <T> long decoding(Codec<T> codec, T value) {
    byte[] bytes = Samples.encode(codec, value);
    return bytesEach(
        () -> {
          in.reset(bytes, 0, bytes.length);
          sink = codec.decode(in);
        });
  }

  /// The least of several attempts: the first ones run in the interpreter, where handles box.
  private long bytesEach(Runnable step) {
    long least = Long.MAX_VALUE;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < ROUNDS; i++) {
        step.run();
      }
      long each = (threads.getCurrentThreadAllocatedBytes() - before) / ROUNDS;
      least = Math.min(least, each);
    }
    return least;
  }
}
