package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.fixture.QuietRecoveries;
import io.holdfast.testkit.InMemoryStore;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Two threads that wait for each other's transactions.
@ExtendWith(QuietRecoveries.class)
class TransactionWakeUpTest {
  private static final int ROUNDS = 200;

  /// Less than it takes until a thread that waits looks without being woken, which is 10 ms.
  private static final long SOON_NANOS = 5_000_000;

  /// Without a wake-up each wait takes those 10 ms, so that no round is shorter. On a busy machine
  /// some are longer for another reason.
  @Test
  @Timeout(60)
  void wake1AThreadIsWokenByTheChangeItWaitsFor() throws InterruptedException {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    int soon = 0;
    try (Holdfast store = new InMemoryStore().open()) {
      ConcurrentMap<Integer, Integer> turns = store.hashMap("turns", Integer.class, Integer.class);
      turns.put(0, 0);
      Thread other =
          Thread.ofPlatform()
              .uncaughtExceptionHandler((_, e) -> failure.set(e))
              .start(
                  () -> {
                    for (int round = 0; round < ROUNDS; round++) {
                      awaitTurn(store, turns, 2 * round + 1);
                    }
                  });
      for (int round = 0; round < ROUNDS; round++) {
        long before = System.nanoTime();
        awaitTurn(store, turns, 2 * round);
        soon += System.nanoTime() - before < SOON_NANOS ? 1 : 0;
      }
      other.join();
    }
    assertThat(failure).hasNullValue();
    assertThat(soon).isGreaterThan(ROUNDS / 5);
  }

  private static void awaitTurn(Holdfast store, ConcurrentMap<Integer, Integer> turns, int turn) {
    store.transaction(
        () -> {
          if (turns.get(0) != turn) {
            Transaction.retry();
          }
          turns.put(0, turn + 1);
        });
  }
}
