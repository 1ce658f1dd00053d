package io.holdfast.core.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class TallyTest {
  /// Threads that come and die while somebody looks are counted, each once.
  @Test
  void everyThreadCounts() throws Exception {
    int threads = 4;
    int each = 500;
    Tally tally = new Tally();
    AtomicBoolean done = new AtomicBoolean();
    FutureTask<Void> looks =
        new FutureTask<>(
            () -> {
              for (long before = 0; !done.get(); ) {
                long now = tally.counts().fences();
                assertThat(now).isGreaterThanOrEqualTo(before);
                before = now;
              }
              return null;
            });
    Thread.ofPlatform().daemon().start(looks);
    List<FutureTask<Void>> tasks = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      tasks.add(
          new FutureTask<>(
              () -> {
                for (int k = 0; k < each; k++) {
                  Thread.ofPlatform().start(tally::fenced).join();
                }
                return null;
              }));
    }
    tasks.forEach(task -> Thread.ofPlatform().daemon().start(task));
    for (FutureTask<Void> task : tasks) {
      task.get();
    }
    done.set(true);
    looks.get();
    assertThat(tally.counts().fences()).isEqualTo((long) threads * each);
  }
}
