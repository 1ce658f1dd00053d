package io.holdfast.jmh.atlas;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testkit.Baton;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class TwoLockQueueTest extends ProgramContract<TwoLockQueue> {
  @Override
  TwoLockQueue over(ProgramMemory memory) {
    return new TwoLockQueue(memory);
  }

  @Override
  List<Consumer<TwoLockQueue>> operations() {
    return List.of(
        queue -> queue.add(1),
        queue -> queue.add(2),
        TwoLockQueue::poll,
        TwoLockQueue::poll,
        TwoLockQueue::poll,
        queue -> queue.add(3));
  }

  /// QUEUE-PROGRAM-1: the content can't be had unless the last node is the list's last.
  @Override
  void checkAfter(int runs, TwoLockQueue queue) {
    assertThat(queue.content()).isEmpty();
  }

  /// QUEUE-PROGRAM-2: at the end of the section that adds an element, another thread looks for it.
  @Test
  void anElementOfASectionThatHasNotEndedIsNotThere() {
    try (Baton baton = new Baton()) {
      List<Long> seen = new ArrayList<>();
      Queue<TwoLockQueue> toLookAt = new ArrayDeque<>();
      ProgramMemory memory =
          new ForwardingMemory(memory(ProgramMode.PROCESS_CRASH)) {
            @Override
            public void releasing(Object lock) {
              try {
                if (!toLookAt.isEmpty()) {
                  TwoLockQueue queue = toLookAt.remove(); // once: looking releases too
                  baton.run("other", () -> seen.add(queue.poll()));
                }
              } finally {
                super.releasing(lock);
              }
            }
          };
      try (TwoLockQueue queue = over(memory)) {
        toLookAt.add(queue);
        queue.add(7);
        assertThat(seen).containsExactly(TwoLockQueue.NOTHING);
        assertThat(queue.poll()).isEqualTo(7);
      }
    }
  }
}
