package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.collections.PersistentQueue;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Threads whose sections store at their ends what they have held back, all in one queue.
@Timeout(60)
class HeldOffersThreadsTest {
  private static final int THREADS = 3;
  private static final int SECTIONS = 10_000;

  @TempDir Path dir;

  @Test
  void noOfferIsLost() throws InterruptedException {
    try (Holdfast store = Holdfast.open(dir.resolve("o.hf"))) {
      PersistentQueue<Long> queue = store.queue("queue", Long.class);
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        long first = (long) i * SECTIONS;
        threads.add(
            Thread.ofPlatform()
                .uncaughtExceptionHandler((_, _) -> {}) // what is missing is noticed
                .start(() -> offer(store, queue, first)));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(queue.validate()).isEqualTo(THREADS * SECTIONS);
      assertThat(queue).doesNotHaveDuplicates();
      for (int i = 0; i < THREADS; i++) {
        int its = i;
        assertThat(queue.stream().filter(each -> each / SECTIONS == its)).isSorted();
      }
    }
  }

  /// Adds two and takes one of them again, so that a place which was reserved is left over, and has
  /// another thread wait for a place meanwhile.
  private static Thread leaveAPlace(PersistentQueue<Long> queue) {
    queue.add(1L);
    queue.add(2L);
    Thread waiting =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  try {
                    queue.put(3L);
                  } catch (InterruptedException e) {
                    throw new AssertionError(e);
                  }
                });
    while (waiting.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    assertThat(queue.remove()).isEqualTo(1L);
    return waiting;
  }

  private static void awaitEnd(Thread waiting) {
    try {
      assertThat(waiting.join(Duration.ofSeconds(20))).as("it gets the place").isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /// A thread that looks again by itself, after a second, is too late in all rounds.
  private void inRounds(BiConsumer<Holdfast, PersistentQueue<Long>> round) {
    try (Holdfast store = Holdfast.open(dir.resolve("o.hf"))) {
      PersistentQueue<Long> queue = store.queue("queue", Long.class, 2);
      long shortest = Long.MAX_VALUE;
      for (int i = 0; i < 20; i++) {
        long start = System.nanoTime();
        round.accept(store, queue);
        shortest = Math.min(shortest, System.nanoTime() - start);
        assertThat(queue).containsExactly(2L, 3L);
        queue.clear();
      }
      assertThat(Duration.ofNanos(shortest)).isLessThan(Duration.ofMillis(500));
    }
  }

  @Test
  void aPlaceThatASectionHasLeftOverIsTaken() {
    inRounds((store, queue) -> awaitEnd(store.atomically(() -> leaveAPlace(queue))));
  }

  @Test
  void aPlaceThatAnOpenSectionHasLeftOverIsTaken() {
    DurableLock outer = new DurableLock();
    DurableLock inner = new DurableLock();
    inRounds(
        (_, queue) -> {
          outer.lock();
          try {
            Thread waiting;
            inner.lock();
            try {
              waiting = leaveAPlace(queue);
            } finally {
              inner.unlock();
            }
            awaitEnd(waiting);
          } finally {
            outer.unlock();
          }
        });
  }

  private static void offer(Holdfast store, PersistentQueue<Long> queue, long first) {
    for (long i = first; i < first + SECTIONS; i++) {
      long element = i;
      store.atomically(() -> queue.add(element));
    }
  }
}
