package io.holdfast.collections;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.core.RecoveryReport.Outcome;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// The contract for queues in a real file. After each test the queue is validated, and holds the
/// same when it is opened again.
class PersistentQueueBlockingTest extends BlockingQueueContract {
  @TempDir private Path directory;
  private final List<PersistentQueue<String>> queues = new ArrayList<>();
  private Path file;
  private Holdfast store;

  @BeforeEach
  void open() {
    file = directory.resolve("blocking.hf");
    store = Holdfast.open(file);
  }

  @Override
  BlockingQueue<String> create(int capacity) {
    PersistentQueue<String> queue = store.queue("" + queues.size(), String.class, capacity);
    queues.add(queue);
    return queue;
  }

  @AfterEach
  void reopen() {
    List<List<String>> held = new ArrayList<>();
    for (PersistentQueue<String> queue : queues) {
      assertThat(queue.validate()).isEqualTo(queue.size());
      held.add(List.copyOf(queue));
    }
    store.close();
    try (Holdfast again = Holdfast.open(file)) {
      assertThat(again.recovery().outcome()).isEqualTo(Outcome.CLEAN);
      for (int i = 0; i < queues.size(); i++) {
        assertThat(again.queue("" + i, String.class)).containsExactlyElementsOf(held.get(i));
      }
    }
  }
}
