package io.holdfast.stress.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.Resumable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a kill loop of payments tells.
class ExactlyOnceTest {
  private static final Logger LOG = Logger.getLogger("io.holdfast");

  /// Of a payment that is refused.
  private static final long KEY = 13;

  @TempDir private Path directory;

  @Test
  void aRefusedPaymentIsToldInALine() {
    Path file = directory.resolve("e.hf");
    try (Holdfast store = Holdfast.open(file)) {
      Resumable<ExactlyOnce.Order, Long> later =
          store.resumable(
              "pay",
              ExactlyOnce.Order.class,
              Long.class,
              Resumable.Options.<ExactlyOnce.Order>defaults().retryFailed(),
              _ -> {
                throw new IllegalStateException("not now");
              });
      assertThatThrownBy(() -> later.run(new ExactlyOnce.Order(KEY, 1, 5))).hasMessage("not now");
    }
    List<LogRecord> told = new ArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord each) {
            told.add(each);
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    LOG.addHandler(handler);
    try (Holdfast store = Holdfast.open(file)) {
      new ExactlyOnce().check(store, 1);
    } finally {
      LOG.removeHandler(handler);
    }
    assertThat(told).extracting(each -> each.getThrown().getMessage()).containsExactly("refused");
    assertThat(told.getFirst().getThrown().getStackTrace()).isEmpty();
  }
}
