package io.holdfast.jmh.atlas;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// Shows COW-1.
class CowArrayListTest extends ProgramContract<CowArrayList> {
  private static final int LENGTH = 4;

  @Override
  CowArrayList over(ProgramMemory memory) {
    return new CowArrayList(memory, LENGTH);
  }

  @Override
  List<Consumer<CowArrayList>> operations() {
    return List.of(
        list -> list.add(10),
        list -> list.set(1, 20),
        list -> list.remove(0),
        list -> list.remove(3),
        list -> list.add(30));
  }

  /// Which elements is decided by how the threads meet; traversals look at their sum.
  @Override
  void checkAfter(int runs, CowArrayList list) {
    assertThat(list.content()).hasSize(LENGTH);
  }

  /// COW-2: the second mutation after a traversal has begun waits for its end.
  @Test
  void anArrayThatIsTraversedIsNotFreed() throws Exception {
    AtomicBoolean ended = new AtomicBoolean();
    List<Boolean> endedWhenFreed = new CopyOnWriteArrayList<>();
    ProgramMemory memory =
        new ForwardingMemory(memory(ProgramMode.PROCESS_CRASH)) {
          @Override
          public void free(long block, int bytes) {
            endedWhenFreed.add(ended.get());
            super.free(block, bytes);
          }
        };
    try (CowArrayList list = over(memory)) {
      list.beginTraversal(1);
      list.set(0, 5);
      FutureTask<Void> second = new FutureTask<>(() -> list.set(0, 6), null);
      Thread.ofPlatform().start(second);
      while (list.traverse(0) != 6 + 1 + 2 + 3) {
        Thread.onSpinWait(); // until it has replaced the array
      }
      Thread.sleep(10); // to free it, if it does not wait
      ended.set(true);
      list.endTraversal(1);
      second.get();
      assertThat(endedWhenFreed).containsExactly(true);
    }
  }
}
