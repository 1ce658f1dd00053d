package io.holdfast.collections.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

class QueueRollbacksTest {
  /// QUEUE-5: sections are rolled back at both ends at once, and each rollback counts.
  @Test
  void everyRollbackCounts() throws Exception {
    int threads = 2;
    int each = 100_000;
    QueueRollbacks rollbacks = new QueueRollbacks();
    List<FutureTask<Void>> tasks = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int number = i;
      tasks.add(
          new FutureTask<>(
              () -> {
                for (int k = 0; k < each; k++) {
                  rollbacks.add(2L * (each - k) + number);
                }
              },
              null));
    }
    tasks.forEach(task -> Thread.ofPlatform().daemon().start(task));
    for (FutureTask<Void> task : tasks) {
      task.get();
    }
    assertThat(rollbacks.count()).isEqualTo(threads * each);
    assertThat(rollbacks.mayHaveTaken(2, 0)).isTrue();
    assertThat(rollbacks.mayHaveTaken(1, 0)).isFalse();
  }
}
