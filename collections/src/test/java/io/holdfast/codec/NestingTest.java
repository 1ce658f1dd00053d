package io.holdfast.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.codec.Samples.Chain;
import io.holdfast.codec.Samples.Node;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// Records within records, as deep as is allowed and deeper, on a small stack.
class NestingTest {
  private static final int STACK_BYTES = 512 << 10;
  private static final int DEPTH_MAX = 64;

  record Wide(
      int a,
      long b,
      double c,
      String d,
      int e,
      long f,
      double g,
      String h,
      int i,
      long j,
      double k,
      String l,
      int m,
      long n,
      double o,
      String p,
      int q,
      long r,
      List<Wide> list,
      Wide next) {
    Wide(List<Wide> list, Wide next) {
      this(1, 1, 1, "", 1, 1, 1, "", 1, 1, 1, "", 1, 1, 1, "", 1, 1, list, next);
    }
  }

  private static Wide wide(int depth) {
    Wide wide = new Wide(List.of(), null);
    for (int i = 1; i < depth; i++) {
      wide = i % 2 == 0 ? new Wide(List.of(wide), null) : new Wide(List.of(), wide);
    }
    return wide;
  }

  private static Chain chain(int length) {
    Chain chain = null;
    for (int i = 0; i < length; i++) {
      chain = new Chain(i, chain);
    }
    return chain;
  }

  private static void onSmallStack(Runnable action) throws InterruptedException {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread thread = new Thread(null, action, "small stack", STACK_BYTES);
    thread.setUncaughtExceptionHandler((_, e) -> failure.set(e));
    thread.start();
    thread.join();
    if (failure.get() != null) {
      throw new AssertionError(failure.get());
    }
  }

  @Test
  void asDeepAsIsAllowed() throws InterruptedException {
    onSmallStack(
        () -> {
          Codec<Wide> codec = Codec.of(Wide.class);
          Wide value = wide(DEPTH_MAX);
          assertThat(Samples.decode(codec, Samples.encode(codec, value)).equals(value)).isTrue();
        });
  }

  @Test
  void deeperIsRefusedBeforeItIsWritten() throws InterruptedException {
    onSmallStack(
        () -> {
          Codec<Chain> codec = Codec.of(Chain.class);
          EncodedOutput out = new EncodedOutput();
          codec.encode(chain(DEPTH_MAX), out);
          out.reset();
          assertThatThrownBy(() -> codec.encode(chain(1_000_000), out))
              .isExactlyInstanceOf(IllegalArgumentException.class)
              .hasMessage(
                  "An encoded value must have records nested at most 64 levels deep: next=record"
                      + " io.holdfast.codec.Samples$Chain, written=641 bytes");
          out.reset();
          codec.encode(chain(DEPTH_MAX), out);
        });
  }

  @Test
  void deeperBytesAreRefused() throws InterruptedException {
    byte[] deep = Samples.hex("02 01000000 01 01".repeat(100_000));
    onSmallStack(
        () -> {
          assertThatThrownBy(() -> Samples.decode(Codec.of(Node.class), deep))
              .isExactlyInstanceOf(CodecException.class)
              .hasMessage(
                  "Cannot read a record: it is nested deeper than 64 levels, position=449,"
                      + " limit=700000");
          // The same input is good for other bytes.
          EncodedInput in = new EncodedInput();
          byte[] chain = Samples.encode(Codec.of(Chain.class), chain(DEPTH_MAX));
          for (int i = 0; i < 3; i++) {
            in.reset(deep, 0, deep.length);
            assertThatThrownBy(() -> Codec.of(Node.class).decode(in))
                .isInstanceOf(CodecException.class);
            in.reset(chain, 0, chain.length);
            assertThat(Codec.of(Chain.class).decode(in).n()).isEqualTo(DEPTH_MAX - 1);
          }
        });
  }
}
