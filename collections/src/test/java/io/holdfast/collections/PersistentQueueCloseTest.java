package io.holdfast.collections;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.StoreClosedException;
import io.holdfast.core.fixture.HookedMemory;
import io.holdfast.core.fixture.QuietRecoveries;
import io.holdfast.testkit.RecordingMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// A store that is closed under an operation, at each of its stores: what returns is done, and what
/// throws is undone by the next opening, or done (P1, P6).
@ExtendWith(QuietRecoveries.class)
class PersistentQueueCloseTest {
  static Stream<Arguments> operations() {
    return Stream.of(
        operation("offer", queue -> queue.offer("x")),
        operation("offer outside", queue -> queue.offer(RawCodec.text("x", 5_000))),
        operation("poll", queue -> queue.poll()),
        operation("poll outside", queue -> queue.remove()),
        operation("drainTo", queue -> queue.drainTo(new ArrayList<>(), 3)),
        operation("remove(Object)", queue -> queue.remove("b")));
  }

  private static Arguments operation(String name, Consumer<PersistentQueue<String>> operation) {
    return Arguments.of(name, operation);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("operations")
  void p6WhatReturnsIsKept(String name, Consumer<PersistentQueue<String>> operation) {
    int stores = 0;
    while (isRefused(name, operation, stores)) {
      stores++;
    }
    assertThat(stores).isPositive();
  }

  /// @return whether the operation stored, or would have, more often than it was let
  private static boolean isRefused(
      String name, Consumer<PersistentQueue<String>> operation, int stores) {
    RecordingMemory bytes = new RecordingMemory();
    HookedMemory memory = new HookedMemory(bytes);
    QueueRegion store = QueueRegion.open(memory);
    PersistentQueue<String> queue = fill(store, name);
    Map<String, List<String>> before = store.state();
    int[] left = {stores};
    memory.beforeEachStore(
        () -> {
          if (left[0]-- == 0) {
            store.close();
          }
        });
    boolean returned = false;
    try {
      operation.accept(queue);
      returned = true;
    } catch (StoreClosedException e) {
      // As it should.
    }
    boolean refused = memory.isClosed();
    store.close();
    try (QueueRegion again = QueueRegion.open(bytes)) {
      Map<String, List<String>> after = after(name, operation);
      if (returned) {
        assertThat(again.state()).as("returned, %d stores", stores).isEqualTo(after);
      } else {
        assertThat(again.state()).as("threw, %d stores", stores).isIn(before, after);
      }
      again.check();
    }
    return refused;
  }

  private static PersistentQueue<String> fill(QueueRegion store, String name) {
    PersistentQueue<String> queue = store.createUsed("q");
    int length = name.endsWith("outside") ? 5_000 : 3;
    queue.addAll(List.of(RawCodec.text("a", length), "b", "c", "d"));
    return queue;
  }

  private static Map<String, List<String>> after(
      String name, Consumer<PersistentQueue<String>> operation) {
    try (QueueRegion store = QueueRegion.open(new RecordingMemory())) {
      operation.accept(fill(store, name));
      return store.state();
    }
  }
}
