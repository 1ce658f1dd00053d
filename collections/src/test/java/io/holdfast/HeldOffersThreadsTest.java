package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.collections.PersistentQueue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

  private static void offer(Holdfast store, PersistentQueue<Long> queue, long first) {
    for (long i = first; i < first + SECTIONS; i++) {
      long element = i;
      store.atomically(() -> queue.add(element));
    }
  }
}
